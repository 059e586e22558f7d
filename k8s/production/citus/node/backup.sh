#!/bin/sh
# Runs beside each PostgreSQL, but works only beside the leader of a node: makes a backup a day, a full one on Sundays. On the
# coordinator it also creates a restore point with the same name on all nodes each hour, to which nodes are restored together. That
# blocks commits on several nodes for a moment.
set -u
backup() {
  pgbackrest stanza-create || return
  if pgbackrest info | grep -q "$(date -u +%Y%m%d)-"; then return; fi
  type=diff
  [ "$(date -u +%u)" != 7 ] || type=full
  pgbackrest --type=$type --start-fast backup
}
# As the first process of the container the shell ignores signals without a trap, and would keep the pod for the whole grace period.
trap 'exit 0' TERM
hour=$(date -u +%Y%m%d-%H) running=""
while sleep 60 & wait $!; do
  now=$(date -u +%Y%m%d-%H)
  # A new leader begins with the next hour, because a name that exists twice could mean a different moment on each node.
  python3 -c 'import urllib.request; urllib.request.urlopen("http://localhost:8008/primary", timeout=5)' 2>/dev/null || { hour=$now && continue; }
  if [ "$PATRONI_CITUS_GROUP" = 0 ] && [ "$hour" != "$now" ]; then
    psql -h /tmp -U postgres -d "$PATRONI_CITUS_DATABASE" -qAtc "select 'hour-$now', citus_create_restore_point('hour-$now')" && hour=$now
  fi
  # The next restore point does not wait for a long backup.
  if [ -z "$running" ] || ! kill -0 "$running" 2>/dev/null; then
    backup &
    running=$!
  fi
done
