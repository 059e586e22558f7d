"""What the types of the contract are made of: times."""

Timestamp = str
"""A point in time: UTC, six fractional digits, `2026-03-14T02:11:09.482913Z`. Strings of this
form sort by time; parse_time converts one to a datetime.
"""
