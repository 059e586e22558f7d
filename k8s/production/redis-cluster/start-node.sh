#!/bin/sh
# Starts a node. It keeps what it knows of the others in nodes.conf. Pods get new addresses when they restart, so a node of a cluster
# contacts all others by name when it starts: each that knows it then learns its new address.
set -eu
{
  echo "dir /data"
  echo "requirepass $REDISCLI_AUTH"
  echo "masterauth $REDISCLI_AUTH"
  echo "cluster-enabled yes"
  echo "cluster-config-file nodes.conf"
  echo "cluster-node-timeout 5000"
  echo "cluster-announce-ip $POD_IP"
  # A replica that returns synchronizes at once: its master has no other to wait for.
  echo "repl-diskless-sync-delay 0"
  # When a master and its replica are lost, only the sellers whose keys they had are refused.
  echo "cluster-require-full-coverage no"
  # Every write goes to the append-only file and no key is evicted: rate limit windows and locks are not a cache.
  echo "appendonly yes"
  echo "appendfsync everysec"
  echo "save \"\""
  echo "maxmemory $MAX_MEMORY"
  echo "maxmemory-policy noeviction"
} >/tmp/redis.conf

# greet tells the other nodes the address of this one. It repeats this for a minute, in which the names of pods that start at the same
# time become resolvable. A node that is not in a cluster yet does nothing: form.sh forms the cluster.
greet() {
  [ -s /data/nodes.conf ] && [ "$(grep -c 'master\|slave' /data/nodes.conf)" -gt 1 ] || return 0
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    sleep 5
    for n in 0 1 2 3 4 5; do
      address=$(getent hosts "redis-cluster-$n.redis-cluster-nodes" | sed 's/ .*//; q')
      [ -z "$address" ] || [ "$address" = "$POD_IP" ] || redis-cli cluster meet "$address" 6379 >/dev/null || true
    done
  done
}
# follow makes a replica follow its master's present address. One that learns it from a third node, as after a restart of all, would
# otherwise try the old address forever.
follow() {
  nodes=$(redis-cli cluster nodes) || return 0
  master=$(echo "$nodes" | sed -n 's/^[^ ]* [^ ]* myself,slave \([^ ]*\) .*/\1/p')
  [ -n "$master" ] || return 0
  address=$(echo "$nodes" | sed -n "s/^$master \([^:]*\):.*/\1/p")
  [ -z "$address" ] || [ "$address" = "$(redis-cli role | sed -n 2p)" ] || redis-cli cluster replicate "$master" >/dev/null || true
}
greet &
while sleep 10; do follow; done &
exec redis-server /tmp/redis.conf
