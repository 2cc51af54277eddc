"""Looks at dice in stills: when one is asked for, whether it shows the same, and what it tells."""
