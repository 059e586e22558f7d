#!/bin/sh
# Starts a Redis node as a replica of the master that the sentinels name. While none answers, as after a total restart, it is what it
# was before: a failover writes into the configuration whom each follows. At the very beginning the first node is the master.
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
  # TLS alone, to clients and among themselves. A renewed certificate is taken when a pod starts.
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
  # Every write goes to the append-only file, and nothing is ever evicted: windows and locks are not a cache.
  echo "appendonly yes"
  echo "appendfsync everysec"
  echo "save \"\""
  echo "maxmemory $MAX_MEMORY"
  echo "maxmemory-policy noeviction"
  # A master that has lost its replicas stops taking writes, so that two masters never take them side by side for long.
  echo "min-replicas-to-write 1"
  echo "min-replicas-max-lag 10"
  [ "$master" = "$me" ] || echo "replicaof $master 6379"
} >/data/redis.conf.new
mv /data/redis.conf.new /data/redis.conf
exec redis-server /data/redis.conf
