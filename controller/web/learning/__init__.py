"""What players learn from beside the game: positions to practise, best plays, their own mistakes."""
