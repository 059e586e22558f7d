#!/bin/sh
# Forms a cluster of six nodes: three masters, each with a third of the slots and a replica. An existing cluster is left unchanged.
set -eu
nodes=""
for n in 0 1 2 3 4 5; do
  name=redis-cluster-$n.redis-cluster-nodes
  [ "$(redis-cli -h "$name" ping)" = PONG ]
  if redis-cli -h "$name" cluster info | grep -q 'cluster_known_nodes:\([2-9]\|1[0-9]\)'; then
    echo "$name is in a cluster already"
    exit 0
  fi
  nodes="$nodes $(getent hosts "$name" | sed 's/ .*//; q'):6379"
done
# shellcheck disable=SC2086 # a list of addresses
redis-cli --cluster create $nodes --cluster-replicas 1 --cluster-yes
