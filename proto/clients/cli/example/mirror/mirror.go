package mirror

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // the driver

	sellerapi "sellerapi.dev/proto/clients/go"
)

//go:embed schema.sql
var schema string

// Mirror is a copy of one seller's orders in a SQLite file. Only one program at a time may use a file.
type Mirror struct {
	db     *sql.DB
	client *sellerapi.Client
	orders *sellerapi.Sync[sellerapi.Order]
}

// Open opens a file, and creates it if it does not exist.
func Open(ctx context.Context, path string, client *sellerapi.Client) (*Mirror, error) {
	// What locks the file for less than a minute is waited for.
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_busy_timeout=60000&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.Close())
	}
	m := &Mirror{db: db, client: client}
	m.orders = client.SyncOrders(m.load, m.upsert)
	return m, nil
}

// Close closes the file.
func (m *Mirror) Close() error { return m.db.Close() }

// DB returns the open database, for reading.
func (m *Mirror) DB() *sql.DB { return m.db }

// Collect does one round: everything the first time, only changes afterwards.
func (m *Mirror) Collect(ctx context.Context) (sellerapi.Round, error) { return m.orders.Round(ctx) }

// Follow collects what changes until the context ends or a permanent error occurs; it calls each after every round.
func (m *Mirror) Follow(ctx context.Context, each func(sellerapi.Round)) error {
	m.orders.AfterRound = each
	return m.orders.Run(ctx)
}

func (m *Mirror) load(ctx context.Context) (sellerapi.SyncState, error) {
	var state sellerapi.SyncState
	var text string
	err := m.db.QueryRowContext(ctx, "select state from sync_state where list = 'orders'").Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return state, nil
	}
	if err != nil {
		return state, err
	}
	return state, json.Unmarshal([]byte(text), &state)
}

// upsert stores a page and the progress of the synchronization in one transaction.
func (m *Mirror) upsert(ctx context.Context, orders []sellerapi.Order, state sellerapi.SyncState) error {
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing is left to roll back after the commit
	for _, order := range orders {
		if err := put(ctx, tx, order); err != nil {
			return fmt.Errorf("order %s: %w", order.OrderNo, err)
		}
	}
	_, err = tx.ExecContext(ctx, `insert into sync_state (list, state) values ('orders', ?)
		on conflict (list) do update set state = excluded.state`, string(text))
	if err != nil {
		return err
	}
	return tx.Commit()
}

// put overwrites an order and its items, unless a later version is already stored. A status may move backwards;
// updated_at never does.
func put(ctx context.Context, tx *sql.Tx, order sellerapi.Order) error {
	insert, values := insertion("orders", order)
	result, err := tx.ExecContext(ctx, insert+onConflict("order_no",
		order)+" where excluded.updated_at >= orders.updated_at", values...)
	if err != nil {
		return err
	}
	if written, err := result.RowsAffected(); err != nil || written == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, "delete from order_items where order_no = ?", order.OrderNo); err != nil {
		return err
	}
	for _, item := range order.Items {
		insert, values := insertion("order_items", item, member{"order_no", order.OrderNo})
		if _, err := tx.ExecContext(ctx, insert, values...); err != nil {
			return err
		}
	}
	return nil
}
