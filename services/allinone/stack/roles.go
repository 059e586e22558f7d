package stack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
)

// roleExists holds the SQLSTATEs for a role that exists already, and for one that is being created concurrently.
var roleExists = map[string]bool{"42710": true, "23505": true}

// Restrict creates for a service the role that it has in production: it can read and write the rows of its schema, which
// must be migrated, owns nothing, and is subject to the policies of the tables. Restrict returns the connection string with
// that role. On a distributed database the nodes connect to each other as that role too. If the user of the database is not a
// superuser, and so may not create roles, the connection string is returned unchanged: the policies apply to the owner as well.
func Restrict(ctx context.Context, database secret.Text, service string) (secret.Text, error) {
	conn, err := pgx.Connect(ctx, database.Reveal())
	if err != nil {
		return secret.Text{}, err
	}
	defer func() { _ = conn.Close(ctx) }()
	var superuser, distributed bool
	const about = "select rolsuper, exists (select from pg_extension where extname = 'citus') from pg_roles where rolname = " +
		"current_user"
	if err := conn.QueryRow(ctx, about).Scan(&superuser, &distributed); err != nil {
		return secret.Text{}, err
	}
	if !superuser {
		return database, nil
	}
	role := service + "_service"
	restricting.Lock()
	defer restricting.Unlock()
	if _, err := conn.Exec(ctx, "create role "+role); err != nil && !exists(err) {
		return secret.Text{}, fmt.Errorf("create role %s: %w", role, err)
	}
	if distributed {
		if err := admit(ctx, conn, role); err != nil {
			return secret.Text{}, fmt.Errorf("let nodes connect as %s: %w", role, err)
		}
	}
	for _, statement := range postgres.RowRights(service, role) {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return secret.Text{}, fmt.Errorf("restrict %s: %w", role, err)
		}
	}
	return as(database, role)
}

// restricting is held while a role is changed: roles belong to the server, and systems with databases of their own may start at
// once.
var restricting sync.Mutex

// admit lets the nodes of a distributed database connect to each other as a role, with the password of the user who does so.
// The role is brought to each node here because Citus does so only where a role is new in all databases of all nodes.
func admit(ctx context.Context, conn *pgx.Conn, role string) error {
	var bring, credentials string
	const statements = `select
		format('do %L', format($do$
			begin
				perform set_config('citus.enable_ddl_propagation', 'off', true);
				begin create role %1$I; exception when duplicate_object or unique_violation then null; end;
				alter role %1$I login password %2$L;
			end $do$, $1::text, $2::text)),
		format('insert into pg_dist_authinfo values (0, %L, %L) on conflict do nothing', $1::text, 'password=' || $2::text)`
	if err := conn.QueryRow(ctx, statements, role, conn.Config().Password).Scan(&bring, &credentials); err != nil {
		return err
	}
	for _, statement := range []string{bring, credentials} {
		var failed *string
		const everywhere = "select string_agg(result, '; ') from run_command_on_all_nodes($1) where not success"
		if err := conn.QueryRow(ctx, everywhere, statement).Scan(&failed); err != nil {
			return err
		}
		if failed != nil {
			return errors.New(*failed)
		}
	}
	return nil
}

func exists(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && roleExists[refused.Code]
}

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
