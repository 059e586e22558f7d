#!/bin/sh
# Starts a Redis node as a replica of the master that the sentinels name. If no sentinel answers, as after a total restart, it keeps its
# previous role, which each failover writes into the configuration.
#
# A node without data never becomes the master, because the replicas would delete their data to follow it. It waits here with a closed
# port until the sentinels name another master: so a master that has lost its volume is replaced by a replica and then follows it. Only
# at the first start, when all nodes are up and none has data, the node that the sentinels name becomes the master.
set -eu
me="$POD.redis-nodes.$NAMESPACE.svc"
# ask HOST PORT COMMAND...: prints the reply of a node or a sentinel, or nothing.
ask() {
  host=$1 port=$2
  shift 2
  REDISCLI_AUTH=$REDIS_PASSWORD timeout 3 redis-cli --tls --cacert /tls/ca.crt -h "$host" -p "$port" --raw "$@" 2>/dev/null || true
}
# named: prints the master that the sentinels name.
named() { ask redis-sentinel 26379 sentinel get-master-addr-by-name main | head -n 1; }
# nobody_has_data: whether all other nodes answer and have no data.
nobody_has_data() {
  n=0
  while [ "$n" -lt "$NODES" ]; do
    [ "$POD" = "redis-node-$n" ] || [ "$(ask "redis-node-$n.redis-nodes.$NAMESPACE.svc" 6379 exists redis-node:count)" = 0 ] || return 1
    n=$((n + 1))
  done
}
# may_follow MASTER: whether a node without data may start with this master.
may_follow() {
  case $1 in
    "$me") nobody_has_data ;;
    *.redis-nodes.*) ;;
    *) false ;;
  esac
}
master=$(named)
if [ -s /data/redis.conf ] && [ -d /data/appendonlydir ]; then
  case $master in
    *.redis-nodes.*) ;;
    *)
      master=$(sed -n 's/^replicaof \([^ ]*\) .*/\1/p' /data/redis.conf)
      master=${master:-$me} ;;
  esac
else
  echo "No data in /data: waiting until the sentinels name another node as the master, or all nodes are up at the first start."
  until may_follow "$master"; do
    sleep 0.5
    master=$(named)
  done
fi
{
  echo "dir /data"
  # Only TLS, to clients and between nodes. A renewed certificate is loaded when a pod starts.
  echo "port 0"
  echo "tls-port 6379"
  echo "tls-cert-file /tls/tls.crt"
  echo "tls-key-file /tls/tls.key"
  echo "tls-ca-cert-file /tls/ca.crt"
  echo "tls-auth-clients no"
  echo "tls-replication yes"
  echo "requirepass $REDIS_PASSWORD"
  echo "masterauth $REDIS_PASSWORD"
  echo "replica-announce-ip $me"
  # Never promoted, until rank below knows how much data it has.
  echo "replica-priority 0"
  # Every write goes to the append-only file and no key is evicted: rate limit windows and locks are not a cache.
  echo "appendonly yes"
  echo "appendfsync everysec"
  echo "save \"\""
  # A replica is synchronized at once, without waiting for others: until one is, no write is accepted.
  echo "repl-diskless-sync-delay 0"
  echo "maxmemory $MAX_MEMORY"
  echo "maxmemory-policy noeviction"
  # A master that has lost its replicas stops accepting writes, so that two masters do not accept them at the same time for long.
  echo "min-replicas-to-write 1"
  echo "min-replicas-max-lag 10"
  [ "$master" = "$me" ] || echo "replicaof $master 6379"
} >/data/redis.conf.new
mv /data/redis.conf.new /data/redis.conf

# The sentinels promote the replica with the lowest priority, and among equal ones that with the highest replication offset. A restarted
# replica has no offset until its master accepts it. After a total restart in which the master is lost no replica has one, and the choice
# would be arbitrary. Therefore the master counts in a key, five times a second; the count that has reached a replica shows how far
# its data goes, and it survives a restart. Until it is connected, a restarted replica has a priority that is lower the higher its count
# is. It is not promoted without a count, nor when another replica has been promoted whose data it does not have yet.
rank() {
  until [ "$(ask localhost 6379 ping)" = PONG ]; do sleep 0.2; done
  priority=
  until [ "$priority" = 100 ] && [ "$reply" = OK ]; do
    count=$(ask localhost 6379 get redis-node:count)
    case $count in '' | *[!0-9]*) priority=0 ;; *) priority=$((2147483647 - count)) ;; esac
    case $(ask localhost 6379 info replication) in
      *role:master* | *master_link_status:up*) priority=100 ;;
      *"master_host:$master"*) ;;
      *) priority=0 ;;
    esac
    reply=$(ask localhost 6379 config set replica-priority "$priority")
    sleep 0.2
  done
}
# Every node counts; only a master accepts it. Redis' client repeats the command over one connection.
{
  rank
  while :; do
    REDISCLI_AUTH=$REDIS_PASSWORD redis-cli --tls --cacert /tls/ca.crt -h localhost -p 6379 -r -1 -i 0.2 incr redis-node:count || true
    sleep 1
  done
} >/dev/null 2>&1 &
exec redis-server /data/redis.conf
