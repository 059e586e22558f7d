#!/bin/sh
# Sets the passwords of the roles from the Secret. Runs once, after schemas.sql, when the data directory is empty.
set -eu
for owner in /etc/postgres-roles/*_owner; do
  role=$(basename "$owner" _owner)
  for name in "$role" "${role}_owner"; do
    password=$(cat "/etc/postgres-roles/$name")
    psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -q \
      -c "alter role $name password '$password'" -c "grant connect on database $POSTGRES_DB to $name"
  done
done
