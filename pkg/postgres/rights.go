package postgres

import (
	"fmt"

	"github.com/jackc/pgx/v5"
)

// AppendOnly is the start of the comment of a table whose rows are only added and read, never changed or deleted.
const AppendOnly = "append-only"

// RowRights returns the statements that grant a role the rights of a service in its schema: to read and write rows, and nothing
// else. Rows of append-only tables it can only read and add. The statements cover the existing tables, so run them in a
// migrated schema.
func RowRights(schema, role string) []string {
	in, to := " schema "+pgx.Identifier{schema}.Sanitize(), pgx.Identifier{role}.Sanitize()
	return []string{
		"grant usage on" + in + " to " + to,
		"grant select, insert, update, delete on all tables in" + in + " to " + to,
		fmt.Sprintf(keepAppended, literal(schema), AppendOnly, to),
	}
}

// keepAppended revokes the rights of a role to change rows of append-only tables.
const keepAppended = `do $$
declare
	kept regclass;
begin
	for kept in
		select c.oid from pg_class c
		where c.relnamespace = %s::regnamespace and obj_description(c.oid, 'pg_class') like '%s%%'
	loop
		execute format('revoke update, delete, truncate on %%s from %%s', kept, '%s');
	end loop;
end
$$`

// literal returns the name of a schema as a text literal that can be cast to regnamespace.
func literal(schema string) string { return "'" + pgx.Identifier{schema}.Sanitize() + "'" }
