"""Learns to find dice and the cube and to read their faces."""
