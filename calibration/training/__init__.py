"""Teaches the small networks that the eyes use; development only, nothing else of the product imports it."""
