"""Recorded matches; `tests/demo/crowd_recorder.py` makes them."""
