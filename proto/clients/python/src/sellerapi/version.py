"""The version of this package. The build backend reads it from this file."""

__version__ = "1.0.0"
