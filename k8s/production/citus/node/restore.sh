#!/bin/sh
# Runs before Patroni in the first replica of each node. If the ConfigMap citus-restore names a restore point and the volume has no
# database, it restores the node to that point. PostgreSQL runs here until the end of the recovery, because Patroni would start it as a
# replica that waits for more log. The extension is not loaded, because it would connect to other nodes.
set -eu
case $PATRONI_NAME in *-0) ;; *) exit 0 ;; esac
if [ -z "${RESTORE_POINT:-}" ] || { [ -e /data/pgdata ] && [ ! -e /data/restoring ]; }; then exit 0; fi
touch /data/restoring
backups=$(pgbackrest info --output=json)
backup=$(echo "$backups" | python3 /settings/backup_before.py "$RESTORE_POINT")
pgbackrest --delta --set="$backup" --type=name --target="$RESTORE_POINT" --target-action=promote restore
pg_ctl -D /data/pgdata -t 86400 -o "-c listen_addresses= -c shared_preload_libraries= -c synchronous_standby_names=" start
until [ "$(psql -h /tmp -U postgres -qAtc 'select pg_is_in_recovery()')" = f ]; do
  pg_ctl -D /data/pgdata status >/dev/null
  sleep 1
done
pg_ctl -D /data/pgdata -m fast stop
rm /data/restoring
