"""Players of several temperaments for simulated tables: what they play, how they do it, and how they cheat."""
