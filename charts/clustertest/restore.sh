# shellcheck shell=bash
# Backup and restore in `make cluster-test`, as in k8s/production/postgres/README.md but with PostgreSQL's own tools: a base backup while
# sellers call, the archived log from then on, and a second PostgreSQL that is restored to a moment before a mistake.

backup() {
  k exec postgres-0 -- pg_basebackup -U postgres -D - -F tar -X none -c fast 2>"$work/said.log" >"$work/copy.tar" ||
    { cat "$work/said.log" >&2; fail "pg_basebackup"; }
  row "backup of $(($(stat -c %s "$work/copy.tar") >> 20)) MiB while sellers call"
}

# rows POD FILE: writes every table with the number and the digest of its rows to a file, using the script for production.
rows() { k8s/production/postgres/compare "$namespace" "$1" >"$2" || fail "the rows of $1 cannot be read"; }

# stopped: stops all services. Autoscalers ignore a Deployment that is scaled to 0.
stopped() {
  k scale deployment -l "$ours" --replicas=0 >/dev/null
  k wait --for=delete pod -l "$ours" --timeout=180s >/dev/null || fail "the services do not stop"
}

# restored MOMENT: starts a second PostgreSQL from the base backup and the log, in the state of that moment.
restored() {
  sed -e "s|@IMAGE@|$(k get pod postgres-0 -o 'jsonpath={.spec.containers[0].image}')|; s|@TIME@|$1|" charts/clustertest/restored.yaml |
    k apply -f - >/dev/null
  for _ in $(seq 120); do
    if [ -n "$(k get pod postgres-restored -o 'jsonpath={.status.initContainerStatuses[0].state.running}')" ]; then break; fi
    sleep 1
  done
  receive() { k exec -i postgres-restored -c receive -- sh -c "mkdir -m 700 /restore/$1 && tar -xC /restore/$1"; }
  receive data <"$work/copy.tar"
  k exec postgres-0 -- tar -C /var/lib/postgresql/data/archive -c . | receive archive
  k exec postgres-restored -c receive -- sh -c 'touch /restore/data/recovery.signal /restore/received'
  k wait --for=condition=Ready pod/postgres-restored --timeout=300s >/dev/null || { k logs postgres-restored >&2; fail "the restored database does not start"; }
  for _ in $(seq 120); do
    if [ "$(database=postgres-restored sql 'select pg_is_in_recovery()')" = f ]; then return; fi
    sleep 1
  done
  fail "the restored database does not reach $1"
}

# led_to HOST: changes the host in the connection strings of the services.
led_to() {
  k get secret seller-open-api-database -o 'go-template={{range $name, $value := .data}}{{$name}}={{base64decode $value}}{{"\n"}}{{end}}' |
    sed "s|@[^:]*:5432/|@$1:5432/|" |
    k create secret generic seller-open-api-database --from-env-file=/dev/stdin --dry-run=client -o yaml | k apply -f - >/dev/null 2>&1
}

restore() {
  local moment last
  stopped
  moment=$(sql 'select clock_timestamp()')
  rows postgres-0 "$work/rows-before"
  said sql 'truncate orders.orders cascade' || fail "the simulated mistake failed"
  last=$(sql 'select pg_walfile_name(pg_switch_wal())')
  for _ in $(seq 120); do
    if [ "$(sql "select last_archived_wal >= '$last' from pg_stat_archiver")" = t ]; then break; fi
    sleep 1
  done
  restored "$moment"
  rows postgres-restored "$work/rows-after"
  cmp "$work/rows-before" "$work/rows-after" >&2 || fail "the restored database has other rows: $(diff "$work/rows-before" "$work/rows-after" | head -n 5)"
  row "restore to before a mistake: $(awk '{ all += $2 } END { print all }' "$work/rows-after") rows compared, all equal"
  led_to postgres-restored
  install
  k scale deployment -l "$ours" --replicas=2 >/dev/null
  all_settled
  database=postgres-restored
  k exec "deploy/$release-gateway" -c gateway -- gateway audit verify >"$work/said.log" 2>&1 || { cat "$work/said.log" >&2; fail "the restored audit trail"; }
  said helm test "$release" -n "$namespace" --timeout 120s || fail "helm test on the restored database"
  counted "services moved to the restored database"
  load counts >/dev/null
  unnoticed "calls on the restored database"
}
