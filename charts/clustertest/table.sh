# shellcheck shell=bash
# The table of `make cluster-test`: a row for each step, with what was called meanwhile and what became of it.

step_began=$SECONDS
columns='%-58s %7s %7s %7s %7s  %-16s %8s %5s %8s\n'

# row STEP [CALLS PROCESS FAILED CODES GAP LOST DOUBLED]: a row of the table, which is also said at once. PROCESS is how many process calls
# were acknowledged.
row() {
  local cells=("$1" $((SECONDS - step_began)) "${2:--}" "${3:--}" "${4:--}" "${5:--}" "${6:--}" "${7:--}" "${8:--}")
  # shellcheck disable=SC2059 # the format is a constant
  printf "$columns" "${cells[@]}" | tee -a "$work/table" >&2
  step_began=$SECONDS
}

# table: all rows, at the end, however it came.
table() {
  [ -s "$work/table" ] || return 0
  echo
  # shellcheck disable=SC2059 # the format is a constant
  printf "$columns" step seconds calls process failed 'failed by code' gap lost doubled
  cat "$work/table"
}
