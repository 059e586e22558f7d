package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// capturePage reads a page through the gateway while PostgreSQL logs everything, and finds its statement in
// the log. So pgbench runs what the service really sends, without either knowing of the other.
func (b *benchmark) capturePage(ctx context.Context, w *world, c benchCase) (statement, error) {
	log, err := b.logged(ctx, func() error {
		// A setting reaches a connection with its next statement but one, so the page is read many times. It
		// also warms everything up.
		_, err := b.load(ctx, w, c, b.Time/2)
		return err
	})
	if err != nil {
		return statement{}, err
	}
	return findPage(log)
}

// findPage finds the last page of orders in a piece of the log.
func findPage(log string) (statement, error) {
	var found statement
	for _, entry := range readLog(log) {
		if strings.HasPrefix(entry.text, "-- name: ListOrders") && len(entry.args) > 0 {
			found = entry.statement
		}
	}
	if found.text == "" {
		return statement{}, errors.New("the page's statement is not in PostgreSQL's log")
	}
	return found, nil
}

// logged returns what PostgreSQL logs while do runs and every statement is logged.
func (b *benchmark) logged(ctx context.Context, do func() error) (string, error) {
	if err := b.servers.logStatements(ctx, true); err != nil {
		return "", err
	}
	log := filepath.Join(b.servers.postgres.Dir, "log")
	before, err := os.ReadFile(log)
	if err != nil {
		return "", err
	}
	if err := errors.Join(do(), b.servers.logStatements(ctx, false)); err != nil {
		return "", err
	}
	after, err := os.ReadFile(log)
	if err != nil {
		return "", err
	}
	return string(after[len(before):]), nil
}

// logStatements turns logging of every statement on or off.
func (s *servers) logStatements(ctx context.Context, on bool) error {
	value := map[bool]string{true: "'all'", false: "'none'"}[on]
	return query(ctx, s.postgres.URL, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "alter system set log_statement = "+value); err != nil {
			return err
		}
		_, err := conn.Exec(ctx, "select pg_reload_conf()")
		return err
	})
}
