#!/bin/sh
# Runs before a node is terminated: a master hands its slots over to its replica, so that no seller waits for a failover.
set -eu
replica=$(redis-cli cluster replicas "$(redis-cli cluster myid)" | while read -r _ at flags _ _ _ _ link _; do
  case "$flags $link" in
    *fail*) ;;
    *" connected") echo "${at%%:*}"; break ;;
  esac
done)
[ -n "$replica" ] || exit 0
redis-cli -h "$replica" cluster failover
for _ in 1 2 3 4 5 6 7 8 9 10; do
  redis-cli role | head -n 1 | grep -q slave && exit 0
  sleep 1
done
