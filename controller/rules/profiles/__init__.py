"""Rule profiles as data: one TOML file for each rule text."""
