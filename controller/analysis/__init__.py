"""What can be learned from recorded matches."""
