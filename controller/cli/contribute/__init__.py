"""The commands for the public set of real boards."""
