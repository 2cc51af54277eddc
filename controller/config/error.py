"""What is wrong with a configuration."""

from controller.errors import UserError


class ConfigError(UserError):
    """A configuration that cannot be used; the message names the file, the line and what would be right."""
