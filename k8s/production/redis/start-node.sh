#!/bin/sh
# Starts a Redis node as a replica of the master that the sentinels name. If no sentinel answers, as after a total restart, it keeps its
# previous role, which each failover writes into the configuration. At the first start the first node is the master.
set -eu
me="$POD.redis-nodes.$NAMESPACE.svc"
master=$(REDISCLI_AUTH=$REDIS_PASSWORD timeout 3 redis-cli --tls --cacert /tls/ca.crt -h redis-sentinel -p 26379 --raw sentinel get-master-addr-by-name main 2>/dev/null | head -n 1 || true)
case $master in
  *.redis-nodes.*) ;;
  *)
    master="redis-node-0.redis-nodes.$NAMESPACE.svc"
    if [ -s /data/redis.conf ]; then
      master=$(sed -n 's/^replicaof \([^ ]*\) .*/\1/p' /data/redis.conf)
      master=${master:-$me}
    fi ;;
esac
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
  # Every write goes to the append-only file and no key is evicted: rate limit windows and locks are not a cache.
  echo "appendonly yes"
  echo "appendfsync everysec"
  echo "save \"\""
  echo "maxmemory $MAX_MEMORY"
  echo "maxmemory-policy noeviction"
  # A master that has lost its replicas stops accepting writes, so that two masters do not accept them at the same time for long.
  echo "min-replicas-to-write 1"
  echo "min-replicas-max-lag 10"
  [ "$master" = "$me" ] || echo "replicaof $master 6379"
} >/data/redis.conf.new
mv /data/redis.conf.new /data/redis.conf
exec redis-server /data/redis.conf
