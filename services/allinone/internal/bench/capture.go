package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

// statement is what PostgreSQL was sent for a page: the text with $1, $2, … and the arguments as texts.
type statement struct {
	text string
	args []string
}

// capture reads one page through the gateway while PostgreSQL logs everything, and finds its statement in
// the log. So pgbench runs what the service really sends, without either knowing of the other.
func (b *benchmark) capture(ctx context.Context, w *world, c benchCase) (statement, error) {
	if err := b.servers.logStatements(ctx, true); err != nil {
		return statement{}, err
	}
	log := filepath.Join(b.servers.postgres.Dir, "log")
	before, err := os.ReadFile(log)
	if err != nil {
		return statement{}, err
	}
	// A setting reaches a connection with its next statement but one, so the page is read many times. It
	// also warms everything up.
	if _, err := b.load(ctx, w, c, b.Time/2); err != nil {
		return statement{}, err
	}
	if err := b.servers.logStatements(ctx, false); err != nil {
		return statement{}, err
	}
	after, err := os.ReadFile(log)
	if err != nil {
		return statement{}, err
	}
	return findStatement(string(after[len(before):]))
}

var (
	// executed begins the log entry of a prepared statement, up to the statement's text.
	executed = regexp.MustCompile(`LOG: +execute [^:]+: `)
	// parameters begins the log entry with the arguments.
	parameters = regexp.MustCompile(`(?i)DETAIL: +parameters: `)
	// argument is one of them; quotes within are doubled.
	argument = regexp.MustCompile(`(?s)\$\d+ = (?:'((?:[^']|'')*)'|(NULL))`)
)

// findStatement finds the last page of orders in a piece of the log. Lines after the first of an entry
// begin with a tab.
func findStatement(log string) (statement, error) {
	var found statement
	entries := strings.Split(strings.ReplaceAll(log, "\n\t", "\x00"), "\n")
	for i, entry := range entries {
		at := executed.FindStringIndex(entry)
		if at == nil || i+1 == len(entries) {
			continue
		}
		text := strings.ReplaceAll(entry[at[1]:], "\x00", "\n")
		detail := parameters.FindStringIndex(entries[i+1])
		if !strings.HasPrefix(text, "-- name: ListOrders") || detail == nil {
			continue
		}
		found = statement{text: text}
		for _, value := range argument.FindAllStringSubmatch(entries[i+1][detail[1]:], -1) {
			if value[2] != "" {
				return statement{}, errors.New("an argument of the page is null, which pgbench cannot send")
			}
			found.args = append(found.args, strings.ReplaceAll(value[1], "''", "'"))
		}
	}
	if found.text == "" {
		return statement{}, errors.New("the page's statement is not in PostgreSQL's log")
	}
	return found, nil
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
