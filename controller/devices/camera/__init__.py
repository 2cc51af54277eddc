"""Cameras: whatever gives pictures one after the other and can be unplugged."""
