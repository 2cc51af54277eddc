"""Pictures over time: what has come to rest on the board, which dice were rolled, where the cube lies."""
