import pytest

from controller.vision.network import NetworkError, load_network, parse_network


def test_a_missing_network_is_named_with_a_remedy() -> None:
    with pytest.raises(NetworkError, match=r"nonsense.*install Pointsman again"):
        load_network("nonsense")


@pytest.mark.parametrize("data", [b"", b"no network", bytes(1000)])
def test_a_broken_network_file_is_named_with_a_remedy(data: bytes) -> None:
    with pytest.raises(NetworkError, match=r"broken.*install Pointsman again"):
        parse_network("broken", data)
