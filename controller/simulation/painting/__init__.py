"""From a scene to a picture as a camera would take it, with its exact truth."""
