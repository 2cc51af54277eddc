from pathlib import Path

import pytest

from controller.vision.network import NetworkError, load_network, read_network


def test_a_missing_network_is_named_with_a_remedy() -> None:
    with pytest.raises(NetworkError, match=r"nonsense.*install Pointsman again"):
        load_network("nonsense")


@pytest.mark.parametrize("data", [b"", b"no network", bytes(1000)])
def test_a_broken_network_file_is_named_with_a_remedy(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "broken.onnx"
    file.write_bytes(data)
    with pytest.raises(NetworkError, match=r"broken.*install Pointsman again"):
        read_network(file)
