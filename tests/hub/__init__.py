"""The hub: on a real Mosquitto, on real disks, killed at any moment."""
