"""What was fitted to data: the networks, and the table of numbers."""
