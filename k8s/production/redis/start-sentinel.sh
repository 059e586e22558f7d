#!/bin/sh
# Starts a sentinel with its previous state: the master, the replicas, the epoch of the last failover. So a total restart does not bring
# back an old master. A sentinel without state monitors the master that the other sentinels name, at the first start the first node.
set -eu
# ask HOST COMMAND...: prints the reply of a node, or nothing.
ask() {
  host=$1
  shift
  REDISCLI_AUTH=$REDIS_PASSWORD timeout 1 redis-cli --tls --cacert /tls/ca.crt -h "$host" -p 6379 "$@" 2>/dev/null || true
}
# comparable: whether every replica has loaded its data and set its priority, as start-node.sh does.
comparable() {
  for replica in $(sed -n 's/^sentinel known-replica main \([^ ]*\) .*/\1/p' /data/sentinel.conf); do
    ask "$replica" info replication | grep -q '^slave_priority:[1-9]' || return 1
  done
}
if [ -s /data/sentinel.conf ]; then
  # After a total restart it waits for the master before monitoring it: a replica that started a second earlier would otherwise be
  # promoted without the writes that it had not received yet. If the master does not come back within 20 seconds, it waits until the
  # replicas can be compared, so that the most advanced one is promoted, but no longer than 90 seconds.
  master=$(sed -n 's/^sentinel monitor main \([^ ]*\) .*/\1/p' /data/sentinel.conf)
  began=$(date +%s)
  until ask "$master" ping | grep -qE 'PONG|LOADING'; do
    waited=$(($(date +%s) - began))
    if [ "$waited" -ge 90 ]; then break; fi
    if [ "$waited" -ge 20 ] && comparable; then break; fi
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
