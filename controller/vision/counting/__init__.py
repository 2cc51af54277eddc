"""How the checkers of one place look, and how many there are."""
