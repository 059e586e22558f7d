package postgres

import "github.com/jackc/pgx/v5"

// RowRights returns the statements that let a role read and write the rows of a schema, and nothing else: what a service may do in
// its own. They are for the tables that are there, in a migrated schema.
func RowRights(schema, role string) []string {
	in, to := " schema "+pgx.Identifier{schema}.Sanitize(), " to "+pgx.Identifier{role}.Sanitize()
	return []string{
		"grant usage on" + in + to,
		"grant select, insert, update, delete on all tables in" + in + to,
		"grant usage, select on all sequences in" + in + to,
	}
}
