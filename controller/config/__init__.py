"""The configuration of one table."""

from controller.config.config import Config, load_config
from controller.config.error import ConfigError

__all__ = ["Config", "ConfigError", "load_config"]
