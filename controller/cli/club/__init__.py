"""The commands for many tables: the hub, pairing with it, and simulated tables."""
