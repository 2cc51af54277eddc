"""The product at a live table: devices, eyes, referee and record wired together."""
