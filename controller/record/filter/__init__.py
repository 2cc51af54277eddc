"""The lines of `pointsman referee`: what happens at a table comes in, what the referee tells of it goes out."""
