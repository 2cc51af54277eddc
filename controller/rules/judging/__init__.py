"""Whether a result is legal, and if not, which rules were broken on the way to it."""
