"""The board's firmware as it is released with this program, and the way it gets onto the chip."""
