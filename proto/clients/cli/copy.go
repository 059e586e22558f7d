package cli

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	sellerapi "sellerapi.dev/proto/clients/go"
)

//go:embed schema.sql
var schema string

type database struct {
	*sql.DB

	path  string
	world *World
}

// openDatabase opens the file, and creates it if it does not exist. With a write-ahead log, programs that read the file are not
// in the way. The busy time-out, in milliseconds, is for short locks.
func openDatabase(ctx context.Context, world *World, path string) (database, error) {
	address := "file:" + (&url.URL{Path: path}).EscapedPath()
	db, err := sql.Open("sqlite", address+"?_busy_timeout=1000&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		return database{}, err
	}
	db.SetMaxOpenConns(1)
	opened := database{db, path, world}
	err = opened.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, schema)
		return err
	})
	if err != nil {
		return database{}, errors.Join(fmt.Errorf("open %s: %w", path, err), db.Close())
	}
	return opened, nil
}

func (d database) change(ctx context.Context, do func(*sql.Tx) error) error {
	return d.unlocked(ctx, func() error {
		tx, err := d.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // nothing is left to roll back after the commit
		if err := do(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// unlocked repeats what another program's lock of the file prevents, until it is done or the context ends.
func (d database) unlocked(ctx context.Context, do func() error) error {
	for said := false; ; said = true {
		err := do()
		var failed *sqlite.Error
		if !errors.As(err, &failed) || failed.Code()&0xff != sqlite3.SQLITE_BUSY { // the higher bits tell kinds of it apart
			return err
		}
		if !said {
			say(d.world.Err, "%s is locked by another program: waiting", d.path)
		}
		if ended := d.world.Clock.Wait(ctx, time.Second); ended != nil {
			return errors.Join(err, ended)
		}
	}
}

// entry is the part of a record that has columns of its own.
type entry struct {
	id, status string
	updatedAt  time.Time
}

func orderEntry(o sellerapi.Order) entry {
	return entry{o.OrderNo, string(o.SellerOrderStatus), o.UpdatedAt}
}

func claimEntry(c sellerapi.Claim) entry { return entry{c.ClaimNo, string(c.Status), c.UpdatedAt} }

func inquiryEntry(q sellerapi.Inquiry) entry { return entry{q.QnAID, string(q.Status), q.UpdatedAt} }

func (d database) load(list string) func(context.Context) (sellerapi.SyncState, error) {
	return func(ctx context.Context) (state sellerapi.SyncState, err error) {
		var text string
		err = d.unlocked(ctx, func() error {
			return d.QueryRowContext(ctx, "select state from sync_state where list = ?", list).Scan(&text)
		})
		if errors.Is(err, sql.ErrNoRows) {
			return state, nil
		}
		if err == nil {
			err = json.Unmarshal([]byte(text), &state)
		}
		return state, err
	}
}

// store returns a function that stores a page and the progress of the synchronization in one transaction.
func store[T any](d database, list string, of func(T) entry) func(context.Context, []T, sellerapi.SyncState) error {
	return func(ctx context.Context, records []T, state sellerapi.SyncState) error {
		text, err := json.Marshal(state)
		if err != nil {
			return err
		}
		return d.change(ctx, func(tx *sql.Tx) error {
			for _, record := range records {
				if err := put(ctx, tx, list, of(record), record); err != nil {
					return err
				}
			}
			_, err := tx.ExecContext(ctx, `insert into sync_state (list, state) values (?, ?)
				on conflict (list) do update set state = excluded.state`, list, string(text))
			return err
		})
	}
}

// put overwrites a record, unless a later version is already stored. A status may move backwards; updated_at never does.
func put(ctx context.Context, tx *sql.Tx, list string, is entry, record any) error {
	text, err := json.Marshal(record)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `insert into records (list, id, status, updated_at, record) values (?, ?, ?, ?, ?)
		on conflict (list, id) do update set status = excluded.status, updated_at = excluded.updated_at, record = excluded.record
		where excluded.updated_at >= records.updated_at`, list, is.id, is.status, sellerapi.FormatTime(is.updatedAt), string(text))
	return err
}
