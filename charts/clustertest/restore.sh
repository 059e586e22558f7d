# shellcheck shell=bash
# Backup and restore in `make cluster-test`: the commands of k8s/production/postgres/PLAIN.md as they stand there, with a base backup while
# sellers call, and a mistake.

page=k8s/production/postgres/PLAIN.md

# written_under HEADING: prints the commands that the page has under a heading.
written_under() { sed -n "/^## $1\$/,/^## /p" "$page" | sed -n '/^```sh$/,/^```$/p' | grep -v '^```'; }

# as_written HEADING: runs them in a shell of their own, with the names of this test.
as_written() {
  local names commands
  names=$(written_under Names | sed "s|^namespace=.*|namespace=$namespace release=$release work=$work moment='${moment:-}'|")
  commands=$(written_under "$1") || fail "$page has no commands under $1"
  # The test does not need a volume for the restored database.
  commands=${commands//"k8s/production/postgres/restored.yaml"/"$work/restored.yaml"}
  said bash -euo pipefail -c "$names"$'\n'"$commands" || fail "$page, $1"
}

backup() {
  as_written "1. Archive the log"
  as_written "2. Make a base backup"
  row "backup of $(($(stat -c %s "$work/base.tar") >> 20)) MiB while sellers call"
}

restore() {
  local moment
  as_written "3. Stop the services"
  moment=$(sql 'select clock_timestamp()')
  k8s/production/postgres/compare "$namespace" postgres-0 >"$work/before" || fail "the rows of postgres-0 cannot be read"
  said sql 'truncate orders.orders cascade' || fail "the simulated mistake failed"
  as_written "4. Archive what is missing"
  sed -e '/^  volumeClaimTemplates:/,/^---/{/^---/!d}' -e 's|^      volumes:$|&\n        - {name: restore, emptyDir: {}}|' \
    k8s/production/postgres/restored.yaml >"$work/restored.yaml"
  as_written "6. Start the second database"
  as_written "7. Restore"
  as_written "8. Compare"
  cmp "$work/before" "$work/restored" >&2 || fail "the restored database has other rows: $(diff "$work/before" "$work/restored" | head -n 5)"
  if cmp -s "$work/damaged" "$work/restored"; then fail "the comparison does not show the mistake"; fi
  row "restore to before a mistake: $(awk '{ all += $2 } END { print all }' "$work/restored") rows compared, all equal"
  as_written "9. Move the services"
  install
  as_written "10. Start the services"
  all_settled
  # shellcheck disable=SC2034 # sql uses it
  database=postgres-restored-0
  as_written "11. Check"
  counted "services moved to the restored database"
  load counts >/dev/null
  unnoticed "calls on the restored database"
}
