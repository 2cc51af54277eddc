"""Dice and the cube: found, looked at closely, and read."""
