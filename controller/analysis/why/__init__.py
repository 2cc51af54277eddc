"""Why one play is better than another: what can be seen on the board, what that is worth, and the sentence."""
