"""Lights under the points: one frame, many ways to show it."""
