"""Commands as people type them."""

from collections.abc import Callable

import pytest

from controller.cli import main

Run = Callable[..., str]


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Run:
    """Runs a command; what it printed, or the complaint if it is to end with another status than 0.

    What commands keep for their user is in a folder of the test.
    """
    own = tmp_path_factory.mktemp("own")
    monkeypatch.setenv("XDG_CACHE_HOME", str(own / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(own / "data"))

    def command(*arguments: object, status: int = 0) -> str:
        monkeypatch.setattr("sys.argv", ["pointsman", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert ended.value.code == status, said.out + said.err
        assert "Traceback" not in said.err
        return said.err if status else said.out

    return command
