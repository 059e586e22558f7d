#!/bin/sh
# Starts a Redis node in its previous role, which Redis writes into its configuration at each failover. At the first start the first
# node is the master.
set -eu
if [ -s /data/redis.conf ]; then
  role=$(sed -n '/^replicaof /p' /data/redis.conf)
elif [ "$POD" != redis-node-0 ]; then
  role="replicaof redis-node-0.redis-nodes.$NAMESPACE.svc 6379"
fi
{
  cat /scripts/redis.conf
  echo "maxmemory $MAX_MEMORY"
  echo "requirepass $REDIS_PASSWORD"
  echo "masterauth $REDIS_PASSWORD"
  echo "replica-announce-ip $POD.redis-nodes.$NAMESPACE.svc"
  echo "${role:-}"
} >/data/redis.conf.new
mv /data/redis.conf.new /data/redis.conf
exec redis-server /data/redis.conf
