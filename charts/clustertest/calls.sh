# shellcheck shell=bash
# The pod that calls the gateway during `make cluster-test`, the results of its calls, and their effects in the database.

# load PATH: queries the pod that calls, and retries while it cannot be reached.
load() {
  local try
  for try in 1 2 3 4 5; do
    if kubectl get --raw "/api/v1/namespaces/$namespace/pods/load:8080/proxy/$1" 2>"$work/load.log"; then return; fi
    sleep "$try"
  done
  cat "$work/load.log" >&2
  return 1
}
field() { sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p" <<<"$1"; }

# sellers_call [TLS]: starts the pod and waits until a call succeeds. TLS is the directory in the pod with the certificate authority, for
# services that speak TLS.
sellers_call() {
  local token try tls=${1:-}
  acknowledged=0
  token=$(k get secret seller-open-api-signing-issuer -o 'go-template={{index .data "private-key" | base64decode}}' |
    (cd services/gateway && go run ./cmd/gateway token --key /dev/stdin --caller load --ttl 4h))
  sed -e "s|@IMAGE@|$load_image|; s|@RATE@|$rate|; s|@TOKEN@|$token|; s|@NAME@|$release|; s|@TLS@|$tls|; s|@SCHEME@|http${tls:+s}|" charts/clustertest/load.yaml | k apply -f - >/dev/null
  for try in $(seq 20); do
    if [ "$(field "$(load counts 2>/dev/null || true)" ok)" -gt 0 ] 2>/dev/null; then return; fi
    sleep 1
  done
  k logs load >&2 || true
  fail "no call succeeded after $try attempts"
}

# sql STATEMENT: runs a statement in the database that the services use.
sql() { k exec "$database" -c postgres -- psql -U postgres -d seller_open_api -AtqF ' ' -v ON_ERROR_STOP=1 -c "$1"; }

# settled_calls: waits until every process call that is unsettled now has succeeded.
settled_calls() {
  local try
  load unsettled | sort >"$work/open"
  for try in $(seq 90); do
    load unsettled | sort | comm -12 - "$work/open" >"$work/still"
    [ -s "$work/still" ] || return 0
    sleep 1
  done
  fail "process calls do not succeed after $try attempts: $(head -n 3 "$work/still")"
}

# account: prints "LOST DOUBLED ACKNOWLEDGED": of the process calls that succeeded, how many have no effect in the database, how many
# effects it has more than once, and how many calls there are.
account() {
  load acknowledged >"$work/acknowledged"
  sql "select o.order_no, 'preparing', count(*) from orders.status_changes c join orders.orders o using (seller_id, order_id)
         where c.to_status = 'preparing' and o.order_no like 'LOAD-%' group by 1
       union all
       select o.order_no, 'shipment', count(*) from orders.shipments s join orders.orders o using (seller_id, order_id)
         where o.order_no like 'LOAD-%' group by 1" >"$work/effects"
  awk 'FILENAME == ARGV[1] { had[$1 " " $2] = $3; doubled += $3 > 1; next }
       !(($1 " " $2) in had) { lost++ }
       { acknowledged++ }
       END { print lost + 0, doubled + 0, acknowledged + 0 }' "$work/effects" "$work/acknowledged"
}

# counted STEP: adds a row with the results of the calls since the last row. Fails unless calls, and process calls among them, have
# succeeded, no acknowledged process call is lost, and none was done twice.
counted() {
  local lost doubled all
  settled_calls
  got=$(load counts)
  ok=$(field "$got" ok) failed=$(field "$got" failed) gap=$(field "$got" longest_gap_ms)
  codes=$(sed -n 's/.*"codes":{\([^}]*\)}.*/\1/p' <<<"$got" | tr -d '"')
  read -r lost doubled all <<<"$(account)"
  row "$1" $((ok + failed)) $((all - acknowledged)) "$failed" "$codes" "$gap ms" "$lost" "$doubled"
  [ "$lost/$doubled" = 0/0 ] || fail "$1: $lost acknowledged process calls are lost, $doubled were executed twice"
  [ "$ok" -gt 0 ] || fail "$1: no call succeeded"
  [ "$all" -gt "$acknowledged" ] || fail "$1: no process call succeeded: $(k logs load | tail -n 3)"
  acknowledged=$all
}

# unnoticed STEP: like counted, and fails if any call failed.
unnoticed() {
  sleep 2
  counted "$1"
  [ "$failed" = 0 ] || fail "$1: $failed of $((ok + failed)) calls failed: $got"
}

# quiet: waits until no call has failed for five seconds, so that the failures of an outage are not counted in the next step.
quiet() {
  local try
  for try in $(seq 120); do
    [ "$(load quiet)" -lt 5000 ] || return 0
    sleep 1
  done
  fail "calls still fail after $try attempts: $(load counts)"
}

# felt STEP MILLISECONDS: like counted; calls may have failed, but the longest time without a successful one is within the limit.
felt() {
  sleep 2
  quiet
  counted "$1"
  [ "$gap" -le "$2" ] || fail "$1: no call succeeded for $gap ms: $got"
}
