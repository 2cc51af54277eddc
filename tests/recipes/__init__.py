"""The recipes of CONTRIBUTING, followed in a copy of the project."""
