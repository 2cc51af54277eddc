"""The formats that come with the product, one TOML file each."""
