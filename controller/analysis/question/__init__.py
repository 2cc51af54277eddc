"""A question put at the board: what lies under the camera, what would be played there, and what an engine says."""
