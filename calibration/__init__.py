"""Finds the board, the camera and the colours in pictures of a known position; writes the board file."""
