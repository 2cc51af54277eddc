"""Commands of a club: its hub, and the tables that belong to it."""
