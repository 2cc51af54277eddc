"""What a painted scene is: the board, what it is made of, what lies on it, the light and the camera."""
