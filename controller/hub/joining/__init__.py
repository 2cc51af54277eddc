"""How tables find a hub and are let in over TLS."""
