"""What the types of the contract are made of."""

Timestamp = str
"""A point in time: UTC, six fractional digits, `2026-03-14T02:11:09.482913Z`. Such texts sort by
time; parse_time makes a datetime of one.
"""
