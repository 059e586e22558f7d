#!/bin/sh
# Beside each PostgreSQL, at work where it leads its node: a backup a day, full on Sundays. The coordinator's also makes a restore point of
# one name on all nodes each hour, which is what nodes are restored to together; it holds commits of several nodes back for a moment.
set -u
hour=""
while sleep 60; do
  python3 -c 'import urllib.request; urllib.request.urlopen("http://localhost:8008/primary", timeout=5)' 2>/dev/null || continue
  pgbackrest stanza-create || continue
  if ! pgbackrest info | grep -q "$(date -u +%Y%m%d)-"; then
    type=diff
    [ "$(date -u +%u)" != 7 ] || type=full
    pgbackrest --type=$type --start-fast backup
  fi
  now=$(date -u +%Y%m%d-%H)
  if [ "$PATRONI_CITUS_GROUP" = 0 ] && [ "$hour" != "$now" ]; then
    psql -h /tmp -U postgres -d "$PATRONI_CITUS_DATABASE" -qAtc "select citus_create_restore_point('hour-$now')" && hour=$now
  fi
done
