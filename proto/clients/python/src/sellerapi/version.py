"""The version of this package, which pyproject.toml reads too."""

__version__ = "1.0.0"
