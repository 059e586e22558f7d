#!/bin/sh
# Starts a node. What it knows of the others is in nodes.conf; pods come back at other addresses, so a node of a cluster greets all
# others by their names when it starts: each that knows it takes note of where it is now.
set -eu
{
  echo "dir /data"
  echo "requirepass $REDISCLI_AUTH"
  echo "masterauth $REDISCLI_AUTH"
  echo "cluster-enabled yes"
  echo "cluster-config-file nodes.conf"
  echo "cluster-node-timeout 5000"
  echo "cluster-announce-ip $POD_IP"
  # Sellers whose keys a lost master and its replica had are refused; all others go on.
  echo "cluster-require-full-coverage no"
  # Every write goes to the append-only file, and nothing is ever evicted: windows and locks are not a cache.
  echo "appendonly yes"
  echo "appendfsync everysec"
  echo "save \"\""
  echo "maxmemory $MAX_MEMORY"
  echo "maxmemory-policy noeviction"
} >/tmp/redis.conf

# greet tells the other nodes where this one is, for a minute, in which the names of pods that start with it become known. A node that
# is in no cluster yet says nothing: form.sh makes one.
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
greet &
exec redis-server /tmp/redis.conf
