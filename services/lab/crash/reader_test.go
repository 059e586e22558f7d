package crash

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/service/servicetest"
	"sellerapi.dev/services/lab/follow"
)

// The variables that make the program of these tests a reader: where it reads, as whom, and the database of its copies.
const (
	readerURL      = "READER_URL"
	readerKey      = "READER_KEY"
	readerDatabase = "READER_DATABASE"
)

// readerPage is what a reader asks for: so few records that a round of the writers has many pages, and that the call is held when
// there are none.
var readerPage = follow.Options{Limit: 5, Wait: 1}

// readerTables are the reader's own: its copies, and the position up to which each list was read.
const readerTables = `
	create table copies (path text, id text, record jsonb not null, primary key (path, id));
	create table positions (path text primary key, after text not null, pages bigint not null)`

// storePage are the statements with which a page is stored, in the transaction that moves the position.
const (
	storeRecord = `insert into copies values ($1, $2, $3) on conflict (path, id) do update set record = excluded.record`
	storeAfter  = `insert into positions values ($1, $2, 1)
		on conflict (path) do update set after = excluded.after, pages = positions.pages + 1`
)

// reader is a program that keeps copies of all lists of a seller by reading them forwards. It is killed and started again.
type reader struct {
	*servicetest.Process
	db  *pgxpool.Pool
	get follow.Get
}

// newReader returns a reader at an address, which is not started.
func newReader(t *testing.T, address, apiKey string) *reader {
	t.Helper()
	database := pgtest.Database(t)
	db, err := pgxpool.New(t.Context(), database.Reveal())
	require.NoError(t, err)
	t.Cleanup(db.Close)
	_, err = db.Exec(t.Context(), readerTables)
	require.NoError(t, err)
	r := &reader{db: db, get: follow.Over(http.DefaultClient, address, apiKey)}
	r.Process = servicetest.New(t, func(service.Addresses) *exec.Cmd {
		command := exec.CommandContext(t.Context(), os.Args[0])
		command.Env = []string{readerURL + "=" + address, readerKey + "=" + apiKey, readerDatabase + "=" + database.Reveal()}
		return command
	})
	return r
}

// pages is how many pages were stored.
func (r *reader) pages(t *testing.T) (count int) {
	t.Helper()
	require.NoError(t, r.db.QueryRow(t.Context(), "select coalesce(sum(pages), 0) from positions").Scan(&count))
	return count
}

// differs describes how the copies differ from full reads, or returns "".
func (r *reader) differs(t *testing.T) string {
	t.Helper()
	for _, list := range follow.Lists() {
		copied := follow.New(list)
		rows, _ := r.db.Query(t.Context(), "select id, record from copies where path = $1", list.Path)
		var id string
		var record any
		_, err := pgx.ForEachRow(rows, []any{&id, &record}, func() error {
			copied.Records[id] = record
			return nil
		})
		require.NoError(t, err)
		problem, err := copied.Differs(t.Context(), r.get)
		require.NoError(t, err)
		if problem != "" {
			return problem
		}
		require.NotEmpty(t, copied.Records, list.Path)
	}
	return ""
}

// runReader is the program: it reads until it is killed.
func runReader() error {
	ctx := context.Background()
	db, err := pgxpool.New(ctx, os.Getenv(readerDatabase))
	if err != nil {
		return err
	}
	fmt.Println(`{"msg":"serving"}`)
	get, lists := follow.Over(http.DefaultClient, os.Getenv(readerURL), os.Getenv(readerKey)), errgroup.Group{}
	for _, list := range follow.Lists() {
		lists.Go(func() error {
			for {
				if err := readOn(ctx, db, list, get); err != nil {
					return err
				}
			}
		})
	}
	return lists.Wait()
}

// readOn reads a page after the stored position, and stores it with the position after it. A page that does not come is nothing.
func readOn(ctx context.Context, db *pgxpool.Pool, list follow.List, get follow.Get) error {
	after := follow.Beginning
	err := db.QueryRow(ctx, "select after from positions where path = $1", list.Path).Scan(&after)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	page, err := list.Next(ctx, get, after, readerPage)
	if err != nil {
		return nil //nolint:nilerr // a service is away: the same page is asked for again
	}
	return pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		for id, record := range page.Records {
			if _, err := tx.Exec(ctx, storeRecord, list.Path, id, record); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, storeAfter, list.Path, page.After)
		return err
	})
}
