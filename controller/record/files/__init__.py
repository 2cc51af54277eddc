"""The forms in which a match is exchanged with other programs and read by people."""
