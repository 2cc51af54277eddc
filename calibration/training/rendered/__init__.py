"""Lessons from a renderer: dice lit as lamps and windows light them, mirrored in what is glossy."""
