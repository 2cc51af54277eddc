from .boards.chance import random_setting as random_setting
from .painting.painter import Painter as Painter
