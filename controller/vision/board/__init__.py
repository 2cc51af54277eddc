"""A board that was learned, and whether it still stands so in the same light."""
