"""Positions and verdicts as the texts that programs exchange."""
