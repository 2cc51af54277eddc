"""What stands around a match at a table: the match itself, the camera, news, lights that are asked for."""
