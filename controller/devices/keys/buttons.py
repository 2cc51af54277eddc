"""Keys that were learned, as buttons of the table."""

from collections.abc import Callable, Mapping
from pathlib import Path

from controller.devices.buttons import Press
from controller.devices.keys.inputs import Inputs, KeyChange, code_of
from controller.devices.keys.learned import LearnedKey
from controller.devices.keys.status import KeysCode, KeysStatus
from controller.devices.link.happenings import Button


class KeyButtons:
    """Keys of any number of devices, each a button; see `PinButtons`.

    A device may be away at first, and may come and go; what is held down when it comes is no press.
    """

    def __init__(
        self,
        keys: Mapping[Button, LearnedKey],
        tell: Callable[[KeysStatus], None] = lambda _: None,
        *,
        grab: bool = False,
        folder: Path | None = None,
    ) -> None:
        """``tell`` is called with each change of a device's status; ``grab`` and ``folder`` as in `Inputs`.

        Raises:
            LearnedKeyError: without the library, or for a key that does not exist.
        """
        makers = {key.maker for key in keys.values()}
        self._inputs = Inputs(makers.__contains__, grab=grab, folder=folder)
        self._codes = {button: code_of(key) for button, key in keys.items()}
        self._keys, self._tell = dict(keys), tell
        self._told: dict[str, KeysStatus] = {}

    def poll(self, now_s: float) -> list[Press]:
        """What happened since the last call; a key tells its press within one call, so it has the time of that."""
        presses = [
            Press(button, change.down, now_s)
            for change in self._inputs.poll(now_s)
            for button, key in self._keys.items()
            if self._is_meant(button, key, change)
        ]
        self._stand()
        return presses

    def close(self) -> None:
        """Let go of the devices."""
        self._inputs.close()

    def _is_meant(self, button: Button, key: LearnedKey, change: KeyChange) -> bool:
        return (
            self._codes[button] == change.code
            and key.maker == change.key.maker
            and key.place in ("", change.key.place)
        )

    def _stand(self) -> None:
        """Tell how each device stands, where that has changed; the last of its keys that is missing decides."""
        stand: dict[str, KeysStatus] = {}
        for button, key in self._keys.items():
            code = self._code(key, self._codes[button])
            if key.device not in stand or code is not KeysCode.READY:
                stand[key.device] = KeysStatus(code, key.device)
        for device, status in stand.items():
            if self._told.get(device) != status:
                self._told[device] = status
                self._tell(status)

    def _code(self, key: LearnedKey, code: int) -> KeysCode:
        if self._inputs.is_taken(key, code):
            return KeysCode.TAKEN
        if self._inputs.has(key, code):
            return KeysCode.READY
        return KeysCode.FORBIDDEN if self._inputs.forbidden else KeysCode.AWAY
