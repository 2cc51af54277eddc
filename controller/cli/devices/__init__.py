"""Commands about devices: lights, and dice units."""
