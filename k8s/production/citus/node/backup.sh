#!/bin/sh
# Runs beside each PostgreSQL, but works only beside the leader of a node: makes a backup a day, a full one on Sundays. On the
# coordinator it also creates a restore point with the same name on all nodes each hour, to which nodes are restored together. That
# blocks commits on several nodes for a moment.
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
