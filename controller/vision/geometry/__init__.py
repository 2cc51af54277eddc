"""Where things are: the measures of a board, the camera that sees it, and how it is told what was seen."""
