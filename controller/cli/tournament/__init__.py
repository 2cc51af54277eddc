"""Commands that run a tournament on a file."""
