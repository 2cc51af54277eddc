"""Hands over the board, and what they hide."""
