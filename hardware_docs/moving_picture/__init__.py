"""The moving picture of the README: an illegal play on the simulated table, and what the table says to it."""
