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

// roleExists are the SQLSTATEs of a role that is there already, and of one that is being made at the same time.
var roleExists = map[string]bool{"42710": true, "23505": true}

// Restrict makes for a service the role that it is in production: it reads and writes the rows of its schema, which is migrated
// already, owns nothing, and the policies of the tables hold it. It returns the connection string with that role. A database whose
// owner may make no roles is used as it is: the policies hold the owner as well.
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
		return secret.Text{}, fmt.Errorf("make role %s: %w", role, err)
	}
	for _, statement := range postgres.RowRights(service, role) {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return secret.Text{}, fmt.Errorf("restrict %s: %w", role, err)
		}
	}
	return as(database, role)
}

// exists reports whether a role could not be made because it is there.
func exists(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && roleExists[refused.Code]
}

// as returns the connection string with a role that its sessions take.
func as(database secret.Text, role string) (secret.Text, error) {
	address, err := url.Parse(database.Reveal())
	if err != nil {
		return secret.Text{}, errors.New("the database URL cannot be read") // the error of the parser would show it
	}
	query := address.Query()
	query.Set("role", role)
	address.RawQuery = query.Encode()
	return secret.New(address.String()), nil
}
