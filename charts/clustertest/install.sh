# shellcheck shell=bash
# The steps of `make cluster-test` that install: with minimal values, with the strictest values, and recovering from a stuck installation.

# said COMMAND...: runs a command and shows its output only when it fails.
said() { "$@" >"$work/said.log" 2>&1 || { cat "$work/said.log" >&2; return 1; }; }

# dependencies NAMESPACE FOLDER SETS...: applies PostgreSQL and Redis from a folder beside this file and waits for the StatefulSets.
dependencies() {
  local at=$work/$1 space=$1 folder=$2 one
  shift 2
  mkdir -p "$at/charts"
  cp -r k8s "$at/"
  cp -r charts/clustertest "$at/charts/"
  (
    cd "$at/charts/clustertest/$folder"
    kustomize edit set namespace "$space"
    [ -z "${POSTGRES_IMAGE:-}" ] || kustomize edit set image "postgres=$POSTGRES_IMAGE"
    [ -z "${REDIS_IMAGE:-}" ] || kustomize edit set image "redis=$REDIS_IMAGE"
    kustomize build . | kubectl apply -f - >/dev/null
  )
  for one in "$@"; do
    kubectl -n "$space" rollout status "statefulset/$one" --timeout=300s >/dev/null || fail "$one does not start"
  done
}

# with_image [IMAGE]: replaces the image of the containers in the manifests on standard input, if one is given.
with_image() { sed "${1:+s|^\( *\)image: .*|\1image: $1|}"; }

# space NAMESPACE: creates a namespace like that of development, with the Pod Security Standard restricted enforced.
space() {
  if kubectl get namespace "$1" >/dev/null 2>&1; then fail "namespace $1 already exists; delete it or set NAMESPACE"; fi
  sed "s|name: seller-open-api-dev|name: $1|" k8s/overlays/development/namespace.yaml | kubectl apply -f - >/dev/null
  kubectl label namespace "$1" --overwrite pod-security.kubernetes.io/enforce=restricted >/dev/null
}

# removed RELEASE NAMESPACE: uninstalls a release and fails if any of its objects is left.
removed() {
  local left
  helm uninstall "$1" -n "$2" --wait --timeout 300s >/dev/null
  kubectl -n "$2" wait --for=delete pod -l "app.kubernetes.io/instance=$1" --timeout=120s >/dev/null || fail "pods of $1 do not terminate"
  left=$(kubectl -n "$2" get all,configmap,secret,serviceaccount,ingress,networkpolicy,pdb,hpa -l "app.kubernetes.io/instance=$1" -o name)
  [ -z "$left" ] || fail "$1 left behind: $left"
}

# minimal: installs with only the required values: database, Redis and secrets.
minimal() {
  said helm install minimal charts/seller-open-api -n "$namespace" --values charts/seller-open-api/ci/minimal-values.yaml "${images[@]}" \
    --wait --timeout 300s || fail "helm install with ci/minimal-values.yaml"
  said helm test minimal -n "$namespace" --timeout 120s || fail "helm test minimal"
  row "install with the least values, helm test"
  removed minimal "$namespace"
  row "uninstall, nothing left behind"
}

# authority DIRECTORY: creates a private certificate authority.
authority() {
  mkdir -p "$1"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=cluster test" -keyout "$1/ca.key" -out "$1/ca.crt" 2>/dev/null
}

# certificate DIRECTORY NAMESPACE SECRET NAMES...: issues a certificate of that authority and stores it in a Secret with the same keys as
# cert-manager.
certificate() {
  local at=$1 space=$2 secret=$3 names
  shift 3
  names=$(printf ',DNS:%s' "$@")
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$at/tls.key" -out "$at/tls.csr" 2>/dev/null
  openssl x509 -req -in "$at/tls.csr" -CA "$at/ca.crt" -CAkey "$at/ca.key" -CAcreateserial -days 1 -out "$at/tls.crt" \
    -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth' "${names#,}") 2>/dev/null
  kubectl -n "$space" create secret generic "$secret" --from-file="$at/tls.crt" --from-file="$at/tls.key" --from-file="$at/ca.crt" >/dev/null
}

# strict: installs with the values of the live overlay. The database and Redis accept only TLS, with certificates of a private authority,
# and the services use TLS with each other. Redis is that of production; its master is killed while sellers call.
strict() {
  local namespace=$namespace-strict
  local space=$namespace at=$work/authority service plain
  space "$space"
  authority "$at"
  certificate "$at" "$space" postgres-tls postgres-rw
  certificate "$at" "$space" redis-tls redis-sentinel "*.redis-nodes.$space.svc" "*.redis-sentinels.$space.svc"
  kubectl -n "$space" create secret generic postgres-ca --from-file="$at/ca.crt" >/dev/null
  for service in "${services[@]}"; do certificate "$at" "$space" "open-api-$service-tls" "open-api-$service"; done
  k8s/secrets "$space" production >/dev/null
  dependencies "$space" strict postgres redis-node redis-sentinel
  said helm install open-api charts/seller-open-api -n "$space" --values k8s/overlays/live/values.yaml \
    --values charts/clustertest/strict/values.yaml "${images[@]}" --wait --timeout 300s || fail "helm install with verify-full and rediss"
  said helm test open-api -n "$space" --timeout 120s || fail "helm test with TLS"
  said k8s/seed "$space" open-api 20 || fail "k8s/seed with TLS"
  plain=$(kubectl -n "$space" exec postgres-0 -- psql -U postgres -Atc "select count(*) filter (where not s.ssl), count(*) > 0
    from pg_stat_ssl s join pg_stat_activity a using (pid) where a.usename <> 'postgres'")
  [ "$plain" = "0|t" ] || fail "connections to the database without TLS: $plain"
  row "strict install: verify-full, rediss, TLS between services"
  kubectl -n "$space" create secret generic load-tls --from-file="$at/ca.crt" >/dev/null
  sellers_call /tls
  sentinels_agree
  load counts >/dev/null
  sleep 5
  unnoticed "$rate calls a second over TLS"
  spares_deleted
  master_killed
  total_restart
  k delete pod load --wait >/dev/null
  removed open-api "$space"
  kubectl delete namespace "$space" --wait=false >/dev/null
  row "strict uninstall, nothing left behind"
}

# sentinel COMMAND...: runs a command on a sentinel and prints the reply.
sentinel() {
  k exec redis-sentinel-0 -- sh -c 'REDISCLI_AUTH=$REDIS_PASSWORD redis-cli --tls --cacert /tls/ca.crt -h localhost -p 26379 --raw "$@"' sh "$@"
}

# master_of: prints the pod of the master according to the sentinels.
master_of() { sentinel sentinel get-master-addr-by-name main | sed -n 's/\.redis-nodes\..*//p'; }

# sentinels_agree: waits until the sentinels know each other and both replicas.
sentinels_agree() {
  local try
  for try in $(seq 120); do
    if sentinel info sentinel 2>/dev/null | grep -q 'status=ok.*slaves=2,sentinels=3'; then return; fi
    sleep 1
  done
  fail "the sentinels do not know each other and both replicas after $try attempts: $(sentinel info sentinel)"
}

# redis POD: sends the commands on standard input to a node over one connection and prints the replies.
redis() { k exec -i "$1" -c redis -- sh -c 'REDISCLI_AUTH=$REDIS_PASSWORD redis-cli --tls --cacert /tls/ca.crt --raw'; }

# spares_deleted: deletes a replica and each sentinel, one by one. No call fails.
spares_deleted() {
  local master pod
  master=$(master_of)
  pod=$(printf 'redis-node-%s\n' 0 1 2 | grep -vxF "$master" | head -n 1)
  for pod in "$pod" redis-sentinel-0 redis-sentinel-1 redis-sentinel-2; do
    k delete pod "$pod" >/dev/null
    ready "${pod%-*}"
    sentinels_agree
    unnoticed "$pod deleted"
  done
  [ "$(master_of)" = "$master" ] || fail "$(master_of) is the master instead of $master, which was never stopped"
}

# master_killed: kills the master; a replica is promoted.
master_killed() {
  local master
  sentinels_agree
  master=$(master_of)
  k delete pod "$master" --grace-period=0 --force >/dev/null 2>&1
  felt "master of Redis killed, replica promoted by sentinels" "$failover"
  [ "$(master_of)" != "$master" ] || fail "$master is the master again"
  ready redis-node
}

# total_restart: kills all nodes and sentinels at once, as a power failure does. Calls succeed again, and the master has the writes that it
# and a replica had acknowledged. The pods are not force-deleted, because a second Redis must not open the files of one that is still
# terminating.
total_restart() {
  local master got
  sentinels_agree
  written total-restart
  k delete pod -l 'app.kubernetes.io/name in (redis-node, redis-sentinel)' --grace-period=1 --timeout=120s >/dev/null
  ready redis-node
  ready redis-sentinel
  felt "total restart of Redis" "$outage"
  sentinels_agree
  master=$(master_of)
  got=$(echo 'get total-restart' | redis "$master")
  [ "$got" = kept ] || fail "$master has lost a write in a total restart: $got"
}

# written KEY: writes a key on the master and waits until a replica has it. A master whose replicas still synchronize accepts no writes.
written() {
  local master got try
  master=$(master_of)
  for try in $(seq 30); do
    got=$(printf 'set %s kept\nwait 1 5000\n' "$1" | redis "$master" | tr '\n' ' ')
    if [[ "$got" =~ ^OK\ [12]\ $ ]]; then return; fi
    sleep 1
  done
  fail "$master accepted no write that a replica has after $try attempts: $got"
}

# stuck: recovers from an installation whose pods cannot be scheduled, an upgrade whose migration has no image, and an upgrade during
# which helm was killed.
stuck() {
  local values=(--values charts/seller-open-api/ci/minimal-values.yaml "${images[@]}" --set defaults.autoscaling.enabled=false
    --set defaults.replicas=1 --set defaults.resources.requests.cpu=20m --set gateway.resources.requests.cpu=20m) helm
  try() { helm upgrade --install stuck charts/seller-open-api -n "$namespace" "${values[@]}" --wait "$@" >"$work/said.log" 2>&1; }
  if try --timeout 20s --set qna.nodeSelector.nowhere=yes --set migrations.enabled=false; then fail "an installation with unschedulable pods succeeded"; fi
  if try --timeout 20s --set qna.image=absent.invalid/qna:1; then fail "an upgrade whose migration has no image succeeded"; fi
  helm upgrade stuck charts/seller-open-api -n "$namespace" "${values[@]}" --set qna.image=absent.invalid/qna:1 --wait --timeout 300s >/dev/null 2>&1 &
  helm=$!
  for _ in $(seq 60); do if pending | grep -q .; then break; fi; sleep 1; done
  kill -9 "$helm"
  wait "$helm" 2>/dev/null || true
  pending | grep -q . || fail "helm was killed, and its revision is not pending"
  if try --timeout 300s; then fail "helm ignores a pending revision, contrary to UPGRADING.md"; fi
  pending | xargs kubectl -n "$namespace" delete >/dev/null
  try --timeout 300s || { cat "$work/said.log" >&2; fail "an upgrade does not repair a stuck installation"; }
  said helm test stuck -n "$namespace" --timeout 120s || fail "helm test after a stuck installation"
  unnoticed "stuck install, stuck upgrade, killed helm: upgraded out of"
  removed stuck "$namespace"
}
# pending: prints the Secrets of revisions that helm has begun but not finished.
pending() { k get secret -l 'owner=helm,name=stuck,status in (pending-install,pending-upgrade,pending-rollback)' -o name; }
