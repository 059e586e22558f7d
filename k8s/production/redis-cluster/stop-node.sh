#!/bin/sh
# Runs before a node is terminated: a master hands its slots over to its replica, so that no seller waits for a failover.
set -eu
is_master() { redis-cli role | head -n 1 | grep -q master; }

# A replica that has just restarted synchronizes first, because a master answers no call while it hands over.
replica=""
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  is_master || exit 0
  running=$(redis-cli cluster replicas "$(redis-cli cluster myid)" | while read -r _ at flags _ _ _ _ link _; do
    case "$flags $link" in
      *fail*) ;;
      *" connected") echo "${at%%:*}"; break ;;
    esac
  done)
  [ -n "$running" ] || exit 0
  if timeout 3 redis-cli -h "$running" role | sed -n 4p | grep -qx connected; then replica=$running; break; fi
  sleep 1
done
[ -n "$replica" ] || exit 0
redis-cli -h "$replica" cluster failover
for _ in 1 2 3 4 5 6 7 8 9 10; do
  # For some seconds more it tells clients who the master is. Three were too few for a client that asks nodes which are gone first.
  is_master || { sleep 10; exit 0; }
  sleep 1
done
