"""Pixels to readings. Knows the geometry of the board, not the rules of the game."""
