package bench

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// captureAttempts is how often a request is made until its statements are in PostgreSQL's log: a changed setting takes
// effect in a session only at its next statement but one.
const captureAttempts = 50

var errNotLogged = errors.New("PostgreSQL does not log the statements of a request")

func (g *ground) logging(ctx context.Context, do func() error) error {
	set := func(value string) error {
		return execute(ctx, g.postgres.URL, "alter system set log_statement = "+value, "select pg_reload_conf()")
	}
	if err := set("'all'"); err != nil {
		return err
	}
	return errors.Join(do(), set("'none'"))
}

func (g *ground) logged(do func() error) ([]entry, error) {
	file, err := os.Open(filepath.Join(g.postgres.Dir, "log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Seek(0, io.SeekEnd); err != nil {
		return nil, err
	}
	if err := do(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(file)
	return readLog(string(text)), err
}

// captureReads makes each request through the gateway while PostgreSQL logs all statements, and returns the statements that
// the service behind it sent for each. pgbench therefore runs what the service really sends, and the two need not know of
// each other.
func (b *benchmark) captureReads(ctx context.Context, w *world, requests []request) ([][]statement, error) {
	all := make([][]statement, len(requests))
	return all, b.ground.logging(ctx, func() error {
		for i, one := range requests {
			var err error
			if all[i], err = b.captureRead(ctx, w, one); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *benchmark) captureRead(ctx context.Context, w *world, r request) ([]statement, error) {
	for range captureAttempts {
		log, err := b.ground.logged(func() error { return w.once(ctx, get(r.target, r.seller.key)) })
		if err != nil {
			return nil, err
		}
		if found := ofSeller(log, r.seller.id); len(found) > 0 {
			return found, nil
		}
	}
	return nil, errNotLogged
}

// once sends a request on a new connection.
func (w *world) once(ctx context.Context, request []byte) error {
	_, err := closedLoop(ctx, w.env.GatewayURL, 1, time.Minute, each([][][]byte{{request}}))
	return err
}

// scoping matches the statement that sets whose rows are visible. pgbench runs without it, as the owner of the tables.
var scoping = regexp.MustCompile(`;? ?set local app\.seller = '[^']*'`)

// ofSeller returns the statements of the session that worked for the seller, without those that set up row-level security.
func ofSeller(log []entry, id string) []statement {
	last := -1
	for i, e := range log {
		if e.program != "gateway" && e.names(id) && !isScoping(e.statement) {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	var found []statement
	for _, e := range log {
		if e.process == log[last].process && !isScoping(e.statement) {
			found = append(found, statement{scoping.ReplaceAllString(e.text, ""), e.args})
		}
	}
	return slices.Clip(found)
}

func isScoping(s statement) bool { return strings.Contains(s.text, "set_config('app.seller'") }
