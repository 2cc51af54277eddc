"""Saying aloud at the table what its room tells."""
