"""Why one play is better than another."""
