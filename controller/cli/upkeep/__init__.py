"""Commands that keep a table over the years."""
