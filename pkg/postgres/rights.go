package postgres

import (
	"fmt"

	"github.com/jackc/pgx/v5"
)

// AppendOnly begins the comment of a table whose rows are added and read, and neither changed nor removed.
const AppendOnly = "append-only"

// RowRights returns the statements that let a role read and write the rows of a schema, and nothing else: what a service may do in
// its own. Rows of append-only tables it can read and add. They are for the tables that are there, in a migrated schema.
func RowRights(schema, role string) []string {
	in, to := " schema "+pgx.Identifier{schema}.Sanitize(), pgx.Identifier{role}.Sanitize()
	return []string{
		"grant usage on" + in + " to " + to,
		"grant select, insert, update, delete on all tables in" + in + " to " + to,
		fmt.Sprintf(keepAppended, literal(schema), AppendOnly, to),
	}
}

// keepAppended takes the right to change rows of append-only tables from a role.
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

// literal spells the name of a schema as a text that can be cast to regnamespace.
func literal(schema string) string { return "'" + pgx.Identifier{schema}.Sanitize() + "'" }
