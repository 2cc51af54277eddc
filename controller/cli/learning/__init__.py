"""Commands to learn with: positions to practise, the course, the quiz, questions put at the board."""
