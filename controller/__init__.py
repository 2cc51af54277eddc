"""Pointsman, the referee: rules, seeing, judging, recording and the commands that wire them together."""

__version__ = "1.0.0"
