"""Whatever stands in the file, it is a configuration or one sentence."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from controller.config import ConfigError
from controller.config.config import all_keys, parse_config

NAMES = sorted({f"{section}.{key.name}" for section, keys in all_keys().items() for key in keys})
PLAIN = st.text(st.characters(blacklist_categories=("Cs",)), max_size=20)
SCRAPS = st.sampled_from(
    [
        "=",
        "[",
        "]",
        '"',
        "'''",
        "#",
        "\n",
        "\r\n",
        "{",
        "}",
        ".",
        ",",
        "true",
        "-1",
        "1e400",
        "inf",
        "1979-05-27",
        "\0",
    ]
)
VALUES = st.one_of(
    st.integers().map(str),
    st.floats().map(repr),
    st.booleans().map(lambda flag: str(flag).lower()),
    PLAIN.map(lambda text: f"'{text}'"),
    st.sampled_from(
        [
            '"rest"',
            '"board"',
            '"none"',
            '"text"',
            '"pins"',
            '"money"',
            '"series"',
            '["rest", 1]',
            "[]",
            "{}",
            "[5, 6, 7]",
        ]
    ),
)


def read(text: str) -> None:
    try:
        config = parse_config(text, "table.toml", Path("nowhere"))
    except ConfigError as error:
        sentence = str(error)
    else:
        config.settings()
        config.time_control()
        config.dimming()
        config.wish(None)
        return
    assert sentence.startswith("table.toml")
    assert "\n" not in sentence


@given(
    st.lists(
        st.one_of(PLAIN, SCRAPS, st.sampled_from(NAMES), st.sampled_from(sorted(all_keys()))), max_size=30
    )
)
def test_any_text_is_a_configuration_or_a_sentence(parts: list[str]) -> None:
    read("".join(parts))


@given(st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=8))
def test_any_values_are_a_configuration_or_a_sentence(lines: list[tuple[str, str]]) -> None:
    read("\n".join(f"{name} = {value}" for name, value in lines))
