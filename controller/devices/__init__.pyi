from .camera.status import CameraStatus as CameraStatus
from .film import FilmFrame as FilmFrame
from .lights.frame import LightFrame as LightFrame
from .lights.frame import Signal as Signal
from .lights.order import StripOrder as StripOrder
from .link.happenings import Button as Button
from .link.happenings import EventMark as EventMark
from .link.messages import DiceMode as DiceMode
