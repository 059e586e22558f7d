# shellcheck shell=bash
# The table of `make cluster-test`: a row for each step, with the calls made during it and their results.

step_began=$SECONDS
columns='%-58s %7s %7s %7s %7s  %-16s %8s %5s %8s\n'

# row STEP [CALLS PROCESS FAILED CODES GAP LOST DOUBLED]: adds a row to the table and prints it at once. PROCESS is the number of
# acknowledged process calls.
row() {
  local cells=("$1" $((SECONDS - step_began)) "${2:--}" "${3:--}" "${4:--}" "${5:--}" "${6:--}" "${7:--}" "${8:--}")
  # shellcheck disable=SC2059 # the format is a constant
  printf "$columns" "${cells[@]}" | tee -a "$work/table" >&2
  step_began=$SECONDS
}

# table: prints all rows at the end, also after a failure.
table() {
  [ -s "$work/table" ] || return 0
  echo
  # shellcheck disable=SC2059 # the format is a constant
  printf "$columns" step seconds calls process failed 'failed by code' gap lost doubled
  cat "$work/table"
}
