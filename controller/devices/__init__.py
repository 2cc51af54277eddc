"""The edges: everything that can be unplugged, and the files that stand in for it."""
