# shellcheck shell=bash
# The steps of `make cluster-test` that restart, replace, delete and add pods while sellers call.

# settled SERVICE: waits until the new pods are ready and the old ones have drained and are gone.
settled() {
  local try
  k rollout status "deployment/$release-$1" --timeout=300s >/dev/null || fail "$1 does not become ready again"
  for try in $(seq 120); do
    [ "$(k get pods -l "$ours,app.kubernetes.io/component=$1" --no-headers | wc -l)" -gt "$(k get deployment "$release-$1" -o jsonpath='{.spec.replicas}')" ] || return 0
    sleep 1
  done
  fail "old pods of $1 still exist after $try s"
}
all_settled() { local service; for service in "${services[@]}"; do settled "$service"; done; }
replicas() { k get deployment "$release-$1" -o jsonpath='{.spec.replicas}'; }
pods_of() { k get pods -l "$ours,app.kubernetes.io/component=$1" -o jsonpath='{.items[*].metadata.name}'; }
# ready SET: waits until the pods of a StatefulSet are ready again.
ready() { k rollout status "statefulset/$1" --timeout=300s >/dev/null || fail "$1 does not become ready again"; }

restarts() {
  local service
  for service in "${services[@]}"; do
    k rollout restart "deployment/$release-$service" >/dev/null
    settled "$service"
    unnoticed "rolling restart of $service"
  done
}

upgrade() {
  install --set defaults.logLevel=WARN
  all_settled
  unnoticed "upgrade with migrations"
}

rollback() {
  said helm rollback "$release" -n "$namespace" --wait --timeout 300s || fail "helm rollback"
  all_settled
  [ "$(k get deployment "$release-orders" -o 'jsonpath={.spec.template.spec.containers[0].env[?(@.name=="LOG_LEVEL")].value}')" = INFO ] ||
    fail "helm rollback kept the newer values"
  unnoticed "rollback"
}

# away SERVER: prints how long a server may be unavailable, in milliseconds.
away() { if [ "$1" = redis ]; then echo "$restart"; else echo "$outage"; fi; }

# deletions: deletes every pod, one by one. No call fails when it is a pod of a service or of the observability stack; calls fail while
# a server with a single pod is unavailable.
deletions() {
  local service pod server extra
  for service in "${services[@]}"; do
    for pod in $(pods_of "$service"); do
      k delete pod "$pod" >/dev/null
      settled "$service"
      unnoticed "pod of $service deleted"
    done
  done
  # shellcheck disable=SC2154 # a list of names
  for extra in $extras; do
    k delete pod -l "app.kubernetes.io/name=$extra" >/dev/null
    k rollout status "deployment/$extra" --timeout=300s >/dev/null || fail "$extra does not become ready again"
    unnoticed "pod of $extra deleted"
  done
  for server in redis postgres; do
    k delete pod "$server-0" >/dev/null
    ready "$server"
    felt "pod of $server deleted" "$(away "$server")"
  done
}

# kills: kills pods without a grace period. Only the calls in flight in a killed pod get no response.
kills() {
  local service server
  for service in "${services[@]}"; do
    k delete pod "$(pods_of "$service" | cut -d ' ' -f 1)" --grace-period=0 --force >/dev/null 2>&1
    settled "$service"
    felt "pod of $service killed" 2000
  done
  for server in redis postgres; do
    k delete pod "$server-0" --grace-period=0 --force >/dev/null 2>&1
    ready "$server"
    felt "pod of $server killed" "$(away "$server")"
  done
}

# evict POD: evicts a pod as draining a node does.
evict() {
  kubectl create --raw "/api/v1/namespaces/$namespace/pods/$1/eviction" -f - >/dev/null 2>"$work/evict.log" \
    <<<"{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"$1\",\"namespace\":\"$namespace\"}}"
}

# drain: evicts all pods of the services at once and retries the refused evictions, as draining a node does.
drain() {
  local service pod left try refused=0
  left=$(for service in "${services[@]}"; do pods_of "$service"; echo; done)
  for try in $(seq 300); do
    for pod in $left; do
      if evict "$pod"; then
        left=$(tr ' ' '\n' <<<"$left" | grep -vx "$pod" || true)
      else
        grep -q 'disruption budget' "$work/evict.log" || fail "an eviction was refused: $(cat "$work/evict.log")"
        refused=$((refused + 1))
      fi
    done
    if [ -z "$(tr -d '\n ' <<<"$left")" ]; then break; fi
    sleep 1
  done
  [ -z "$(tr -d '\n ' <<<"$left")" ] || fail "disruption budgets still block evictions after $try attempts: $left"
  [ "$refused" -gt 0 ] || fail "no disruption budget blocked an eviction while the other pod was unavailable"
  all_settled
  unnoticed "drain: each pod evicted, budgets respected"
}

# autoscaler: adds pods under load; an upgrade keeps them.
autoscaler() {
  local before after
  install --set gateway.autoscaling.targetCPUPercent=5
  for _ in $(seq 180); do if [ "$(replicas gateway)" -gt 2 ]; then break; fi; sleep 1; done
  [ "$(replicas gateway)" -gt 2 ] || fail "the autoscaler added no pod: $(k get hpa "$release-gateway")"
  settled gateway
  before=$(replicas gateway)
  unnoticed "autoscaler: $before pods of the gateway"
  install --set gateway.autoscaling.targetCPUPercent=5 --set defaults.logLevel=WARN
  after=$(replicas gateway)
  [ "$after" -ge "$before" ] || fail "an upgrade removed pods: $before before, $after after"
  all_settled
  unnoticed "upgrade keeps the $after pods of the autoscaler"
}
