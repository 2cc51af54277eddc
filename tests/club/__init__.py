"""Tables and a hub over a real broker."""
