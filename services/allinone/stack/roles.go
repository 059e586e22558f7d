package stack

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
)

// roleExists holds the SQLSTATEs for a role that exists already, and for one that is being created concurrently.
var roleExists = map[string]bool{"42710": true, "23505": true}

// Restrict creates for a service the role that it has in production: it can read and write the rows of its schema, which
// must be migrated, owns nothing, and is subject to the policies of the tables. Restrict returns the connection string with
// that role. If the user of the database is not a superuser, and so may not create roles, the connection string is returned
// unchanged: the policies apply to the owner as well.
func Restrict(ctx context.Context, database secret.Text, service string) (secret.Text, error) {
	conn, err := pgx.Connect(ctx, database.Reveal())
	if err != nil {
		return secret.Text{}, err
	}
	defer func() { _ = conn.Close(ctx) }()
	var superuser bool
	if err := conn.QueryRow(ctx, "select rolsuper from pg_roles where rolname = current_user").Scan(&superuser); err != nil {
		return secret.Text{}, err
	}
	if !superuser {
		return database, nil
	}
	role := service + "_service"
	if _, err := conn.Exec(ctx, "create role "+role); err != nil && !exists(err) {
		return secret.Text{}, fmt.Errorf("create role %s: %w", role, err)
	}
	for _, statement := range postgres.RowRights(service, role) {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return secret.Text{}, fmt.Errorf("restrict %s: %w", role, err)
		}
	}
	return as(database, role)
}

// exists reports whether a role could not be created because it exists already.
func exists(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && roleExists[refused.Code]
}

// as returns the connection string with a role that its sessions assume.
func as(database secret.Text, role string) (secret.Text, error) {
	address, err := url.Parse(database.Reveal())
	if err != nil {
		return secret.Text{}, errors.New("the database URL is invalid") // the parser's error would reveal the URL
	}
	query := address.Query()
	query.Set("role", role)
	address.RawQuery = query.Encode()
	return secret.New(address.String()), nil
}
