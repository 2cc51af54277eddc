"""The tournament clock."""
