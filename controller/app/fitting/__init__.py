"""What set-up does for lamps and chip in a thread of its own: find where each lamp lies, write firmware."""
