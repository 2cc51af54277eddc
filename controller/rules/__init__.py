"""What is legal: positions, plays, the judge and notation. Pure Python, no clock, no I/O."""
