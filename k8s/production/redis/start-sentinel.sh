#!/bin/sh
# Starts a sentinel with its previous state: the master, the replicas, the epoch of the last failover. So a total restart does not bring
# back an old master. A sentinel without state monitors the master that the other sentinels name, at the first start the first node.
set -eu
if [ -s /data/sentinel.conf ]; then
  # Waits up to half a minute for the master before monitoring it: after a total restart a replica that started a second earlier would
  # otherwise be promoted without the writes that it had not received yet.
  master=$(sed -n 's/^sentinel monitor main \([^ ]*\) .*/\1/p' /data/sentinel.conf)
  end=$(($(date +%s) + 30))
  until REDISCLI_AUTH=$REDIS_PASSWORD timeout 1 redis-cli --tls --cacert /tls/ca.crt -h "$master" -p 6379 ping 2>/dev/null | grep -qE 'PONG|LOADING'; do
    [ "$(date +%s)" -lt "$end" ] || break
    sleep 0.2
  done
  exec redis-server /data/sentinel.conf --sentinel
fi
me="$POD.redis-sentinels.$NAMESPACE.svc"
master=$(REDISCLI_AUTH=$REDIS_PASSWORD timeout 3 redis-cli --tls --cacert /tls/ca.crt -h redis-sentinel -p 26379 --raw sentinel get-master-addr-by-name main 2>/dev/null | head -n 1 || true)
case $master in
  *.redis-nodes.*) ;;
  *) master="redis-node-0.redis-nodes.$NAMESPACE.svc" ;;
esac
{
  echo "port 0"
  echo "tls-port 26379"
  echo "tls-cert-file /tls/tls.crt"
  echo "tls-key-file /tls/tls.key"
  echo "tls-ca-cert-file /tls/ca.crt"
  echo "tls-auth-clients no"
  echo "tls-replication yes"
  echo "dir /data"
  echo "requirepass $REDIS_PASSWORD"
  echo "sentinel sentinel-pass $REDIS_PASSWORD"
  # Pods change their addresses, so nodes and sentinels are known by name.
  echo "sentinel resolve-hostnames yes"
  echo "sentinel announce-hostnames yes"
  echo "sentinel announce-ip $me"
  echo "sentinel monitor main $master 6379 2"
  echo "sentinel auth-pass main $REDIS_PASSWORD"
  # An outage begins with this second; the rest of a failover takes two more. A failed election is repeated after twice the second
  # value.
  echo "sentinel down-after-milliseconds main 1000"
  echo "sentinel failover-timeout main 5000"
  echo "sentinel parallel-syncs main 1"
} >/data/sentinel.conf.new
mv /data/sentinel.conf.new /data/sentinel.conf
exec redis-server /data/sentinel.conf --sentinel
