"""The configuration of one table."""

from controller.config.config import Config, ConfigError, load_config

__all__ = ["Config", "ConfigError", "load_config"]
