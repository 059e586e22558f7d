"""Prints the newest backup that ended before the hour of a restore point.

    pgbackrest info --output=json | python3 backup_before.py hour-20260131-03

pgBackRest itself takes the latest backup for a restore to a name, and one made after the restore point has its name no more in the log
that is replayed.
"""
import datetime
import json
import sys


def main(name):
    try:
        hour = datetime.datetime.strptime(name + "+0000", "hour-%Y%m%d-%H%z")
    except ValueError:
        sys.exit(f"the restore point {name!r} is not of the form hour-YYYYMMDD-HH")
    backups = [backup for stanza in json.load(sys.stdin) for backup in stanza["backup"]]
    usable = [backup for backup in backups if backup["timestamp"]["stop"] <= hour.timestamp()]
    if not usable:
        sys.exit(f"none of the {len(backups)} backups ended before {name}")
    print(max(usable, key=lambda backup: backup["timestamp"]["stop"])["label"])


main(*sys.argv[1:])
