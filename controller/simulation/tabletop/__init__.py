"""A table at which hands play: what lies on it and what moves, at any moment of virtual time."""
