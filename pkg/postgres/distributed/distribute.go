// Package distributed distributes the tables of a service over the nodes of a distributed PostgreSQL (Citus).
//
// The schema determines the distribution: a table is distributed by the first column of its primary key. Tables of a seller
// start with seller_id and are co-located, so that a transaction of one seller runs on one node; directories start with the
// number by which they are looked up. A table whose comment says that it is on one node stays on the coordinator.
package distributed

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
)

//go:embed queries/*.sql
var queryFiles embed.FS

var queries = postgres.MustLoadQueries(queryFiles)

// sellerColumn is the column by which the tables of a seller are co-located.
const sellerColumn = "seller_id"

// Config configures a distribution. The role must own the schema.
type Config struct {
	postgres.Config `embed:""`

	Check  bool `help:"Only print how the tables would be distributed, and what prevents it. Works on any PostgreSQL."`
	Shards int  `help:"Number of shards, which limits the number of nodes." default:"32"`
}

type table struct {
	Name, Column string
	// RefersTo are the referenced tables, which must be distributed before.
	RefersTo []string
	// Problems are the reasons why the table cannot be distributed.
	Problems []string
	// RowSecurity says that it has policies, which a distributed table cannot have.
	RowSecurity bool
	// Bytes is its size on disk, including indexes.
	Bytes int64
}

// Run distributes the tables of a schema, or prints how it would. It resumes an interrupted run. While a table is distributed,
// its writers wait, and statements that join tables fail while only some of them are distributed; all tables and their sizes
// are printed before the first starts. At the end the coordinator frees the space of the rows that were moved to the nodes.
// Errors: *ProblemsError, ErrNotInstalled, ErrNoNodes.
func Run(ctx context.Context, config Config, schema string, out io.Writer) error {
	conn, err := connect(ctx, config.Config, schema)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	run := &run{conn: conn, config: config, schema: schema, out: out}
	if err := run.look(ctx); err != nil {
		return err
	}
	if config.Check {
		return run.explain()
	}
	return run.distribute(ctx)
}

// connect opens a connection without a limit for statements.
func connect(ctx context.Context, config postgres.Config, schema string) (*pgx.Conn, error) {
	parsed, err := pgx.ParseConfig(config.URL.Reveal())
	if err != nil {
		return nil, errors.New("the database URL is invalid") // the error of the parser would reveal it
	}
	parsed.RuntimeParams["search_path"] = pgx.Identifier{schema}.Sanitize()
	parsed.RuntimeParams["application_name"] = "distribute-" + schema
	return pgx.ConnectConfig(ctx, parsed)
}

// ErrNotInstalled says that the database lacks the extension.
var ErrNotInstalled = errors.New("the extension citus is not installed in this database: run `create extension citus` as a " +
	"superuser on every node")

// ErrNoNodes says that no node can hold rows.
var ErrNoNodes = errors.New("no node can store shards: add one with citus_add_node")

// ProblemsError lists the problems that prevent the distribution.
type ProblemsError struct{ Problems []string }

// Error implements error.
func (e *ProblemsError) Error() string {
	return "these tables cannot be distributed: " + strings.Join(e.Problems, "; ")
}

type run struct {
	conn   *pgx.Conn
	config Config
	schema string
	out    io.Writer

	tables []table
	// seller is the table with which those of a seller are co-located.
	seller string
}

// look reads the tables and sorts them so that each follows the tables that it references.
func (r *run) look(ctx context.Context) error {
	found, err := postgres.Collect(ctx, r.conn, pgx.RowToStructByPos[table], queries.SQL("Tables"), r.quoted())
	if err != nil {
		return fmt.Errorf("read tables: %w", err)
	}
	if len(found) == 0 {
		return fmt.Errorf("schema %s has no tables: migrate it first", r.schema)
	}
	for len(found) > 0 {
		next := slices.IndexFunc(found, func(t table) bool {
			return !slices.ContainsFunc(found, func(other table) bool { return slices.Contains(t.RefersTo, other.Name) })
		})
		if next < 0 {
			return fmt.Errorf("foreign keys form a cycle that includes table %s", found[0].Name)
		}
		r.tables = append(r.tables, found[next])
		found = slices.Delete(found, next, next+1)
	}
	first := slices.IndexFunc(r.tables, func(t table) bool { return t.Column == sellerColumn })
	if first >= 0 {
		r.seller = r.tables[first].Name
	}
	return nil
}

// quoted returns the schema as a text that can be cast to regnamespace.
func (r *run) quoted() string { return pgx.Identifier{r.schema}.Sanitize() }

func (r *run) explain() error {
	for _, t := range r.tables {
		r.say("%-20s by %s%s\n", t.Name, t.Column, map[bool]string{true: ", without its policies"}[t.RowSecurity])
	}
	return r.problems()
}

// problems returns the *ProblemsError of the tables, nil if there are no problems.
func (r *run) problems() error {
	var problems []string
	for _, t := range r.tables {
		for _, problem := range t.Problems {
			problems = append(problems, t.Name+": "+problem)
		}
	}
	if len(problems) > 0 {
		return &ProblemsError{Problems: problems}
	}
	return nil
}

func (r *run) distribute(ctx context.Context) error {
	if err := r.problems(); err != nil {
		return err
	}
	var installed bool
	if err := r.conn.QueryRow(ctx, queries.SQL("Installed")).Scan(&installed); err != nil {
		return fmt.Errorf("find the extension: %w", err)
	}
	if !installed {
		return ErrNotInstalled
	}
	var nodes int
	if err := r.conn.QueryRow(ctx, queries.SQL("Nodes")).Scan(&nodes); err != nil {
		return fmt.Errorf("count nodes: %w", err)
	}
	if nodes == 0 {
		return ErrNoNodes
	}
	if err := r.share(ctx); err != nil {
		return err
	}
	left, err := r.undone(ctx)
	if err != nil {
		return err
	}
	r.announce(left)
	for _, t := range left {
		if err := r.spread(ctx, t); err != nil {
			return fmt.Errorf("distribute %s: %w", t.Name, err)
		}
	}
	if err := r.free(ctx); err != nil {
		return err
	}
	r.say("schema %s is distributed over %d nodes\n", r.schema, nodes)
	return nil
}

func (r *run) undone(ctx context.Context) ([]table, error) {
	done, err := r.strings(ctx, "Distributed", r.quoted())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(r.tables), func(t table) bool {
		isDone := slices.Contains(done, t.Name)
		if isDone {
			r.say("%s: distributed already\n", t.Name)
		}
		return isDone
	}), nil
}

func (r *run) announce(tables []table) {
	var bytes int64
	for _, t := range tables {
		bytes += t.Bytes
	}
	if len(tables) > 0 {
		r.say("tables to distribute: %d, %s; writes to a table wait while its rows are moved, one table at a time, "+
			"and most calls of the service get 503 until the last one is\n", len(tables), megabytes(bytes))
	}
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// A table cannot be truncated before all tables that reference it are distributed, so this is the last step.
func (r *run) free(ctx context.Context) error {
	left, err := r.strings(ctx, "Left", r.quoted())
	if err != nil {
		return err
	}
	for _, name := range left {
		if _, err := r.conn.Exec(ctx, queries.SQL("TruncateLeft"), pgx.Identifier{name}.Sanitize()); err != nil {
			return fmt.Errorf("truncate the coordinator's rows of %s: %w", name, err)
		}
		r.say("%s: removed from the coordinator\n", name)
	}
	return nil
}

// share distributes the functions of the schema to all nodes.
func (r *run) share(ctx context.Context) error {
	functions, err := r.strings(ctx, "Functions", r.quoted())
	if err != nil {
		return err
	}
	for _, function := range functions {
		if _, err := r.conn.Exec(ctx, queries.SQL("ShareFunction"), function); err != nil {
			return fmt.Errorf("distribute function %s: %w", function, err)
		}
	}
	return nil
}

// spread distributes one table and drops its policies in one transaction.
func (r *run) spread(ctx context.Context, t table) error {
	r.say("%s: by %s, %s\n", t.Name, t.Column, megabytes(t.Bytes))
	name := pgx.Identifier{t.Name}.Sanitize()
	tx, err := r.conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	policies, err := r.strings(ctx, "Policies", name)
	if err != nil {
		return err
	}
	for _, policy := range policies {
		if _, err := tx.Exec(ctx, "drop policy "+pgx.Identifier{policy}.Sanitize()+" on "+name); err != nil {
			return err
		}
	}
	if t.RowSecurity {
		if _, err := tx.Exec(ctx, "alter table "+name+" no force row level security, disable row level security"); err != nil {
			return err
		}
	}
	beside, shards := "none", &r.config.Shards
	if t.Column == sellerColumn && t.Name != r.seller {
		beside, shards = r.seller, nil
	}
	if _, err := tx.Exec(ctx, queries.SQL("Distribute"), name, t.Column, beside, shards); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func (r *run) say(format string, args ...any) { _, _ = fmt.Fprintf(r.out, format, args...) }

func (r *run) strings(ctx context.Context, statement string, args ...any) ([]string, error) {
	found, err := postgres.Collect(ctx, r.conn, pgx.RowTo[string], queries.SQL(statement), args...)
	return found, postgres.Wrap(statement, err)
}
