"""Whom a table lets in from the network: everybody, nobody, or as long as it is new the one phone with its code."""
