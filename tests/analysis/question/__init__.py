"""Questions put at the board."""
