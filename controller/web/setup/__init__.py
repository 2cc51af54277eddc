"""From a camera to a match, and what the camera sees: data and routes of the pages `/setup` and `/see`."""
