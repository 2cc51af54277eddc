"""The wiring diagrams of these pages, made from code: `python -m hardware_docs.drawings`."""
