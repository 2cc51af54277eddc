"""TOML files that people write, read for configuration, rule profiles and boards: what a value may be (`checks`), the
keys with their words (`keys`), and the document, which says in which line a mistake stands (`document`).
"""
