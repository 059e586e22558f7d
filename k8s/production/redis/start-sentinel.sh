#!/bin/sh
# Starts a sentinel with its previous state, which it keeps in its configuration: the master, the replicas, the epoch of the last
# failover. At the first start it monitors the first node.
set -eu
if [ ! -s /data/sentinel.conf ]; then
  {
    cat /scripts/sentinel.conf
    echo "requirepass $REDIS_PASSWORD"
    echo "sentinel sentinel-pass $REDIS_PASSWORD"
    echo "sentinel announce-ip $POD.redis-sentinels.$NAMESPACE.svc"
    echo "sentinel monitor main redis-node-0.redis-nodes.$NAMESPACE.svc 6379 2"
    echo "sentinel auth-pass main $REDIS_PASSWORD"
    # An outage begins with this second; the rest of a failover takes two more. A failed election is repeated after twice the second
    # value.
    echo "sentinel down-after-milliseconds main 1000"
    echo "sentinel failover-timeout main 5000"
    echo "sentinel parallel-syncs main 1"
  } >/data/sentinel.conf.new
  mv /data/sentinel.conf.new /data/sentinel.conf
fi
exec redis-server /data/sentinel.conf --sentinel
