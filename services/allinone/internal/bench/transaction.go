package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// transaction is what PostgreSQL was sent for one shipment, from begin to commit.
type transaction []statement

// captureAttempts is how many shipments are made until one is found in PostgreSQL's log.
const captureAttempts = 50

// captureShipment ships orders through the gateway, one after the other, until PostgreSQL has logged a
// whole shipment, and returns its statements as a script of pgbench.
func (b *benchmark) captureShipment(ctx context.Context, w *world) (script, error) {
	for range captureAttempts { // a setting reaches a connection with its next statement but one
		o := w.take(1)[0]
		log, err := b.logged(ctx, func() error {
			_, err := b.send(ctx, w, w.shipments([]shippable{o}), 1)
			return err
		})
		if err != nil {
			return script{}, err
		}
		if found, ok := findShipment(readLog(log), o.no); ok {
			id, err := w.orderID(ctx, o.no)
			return found.script(o, id), err
		}
	}
	return script{}, errors.New("PostgreSQL does not log the statements of a shipment")
}

// findShipment finds the transaction that locked the order.
func findShipment(log []entry, orderNo string) (transaction, bool) {
	locked := slices.IndexFunc(log, func(e entry) bool {
		return strings.HasPrefix(e.text, "-- name: LockHome") && slices.ContainsFunc(e.args, func(arg *string) bool { return arg != nil && *arg == orderNo })
	})
	if locked < 0 {
		return nil, false
	}
	var found transaction
	for _, e := range log {
		if e.process != log[locked].process {
			continue
		}
		if strings.HasPrefix(e.text, "begin") {
			found = nil
		}
		found = append(found, e.statement)
		if e.text == "commit" && slices.ContainsFunc(found, func(s statement) bool { return s.text == log[locked].text }) {
			return found, strings.HasPrefix(found[0].text, "begin")
		}
	}
	return nil, false
}

// orderID is the id of an order in the database.
func (w *world) orderID(ctx context.Context, orderNo string) (id string, err error) {
	err = query(ctx, w.databaseURL, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "select order_id::text from orders.order_numbers where order_no = $1", orderNo).Scan(&id)
	})
	return id, err
}

// nextOrder gives each client of pgbench every so many-th order, beginning at :first.
const nextOrder = `\set no :first + :taken * :clients + :client_id
\set taken :taken + 1
`

// script is the transaction with another order in each run: whatever names the order that it was captured
// with becomes a variable, which is filled as the service fills it, from the call and from what ReadPart
// returns. Statements go out together but for that one.
func (t transaction) script(o shippable, orderID string) script {
	s := script{defines: []string{"taken=0"}}
	text := nextOrder + "\\startpipeline\n"
	for i, one := range t {
		sql := one.spell(func(n int, value *string) string {
			if variable := one.varies(n, value, o, orderID); variable != "" {
				return variable
			}
			name := fmt.Sprintf("s%d_%d", i, n)
			s.defines = append(s.defines, name+"="+*value)
			return ":" + name
		})
		if strings.HasPrefix(one.text, "-- name: ReadPart") {
			text += "\\endpipeline\n" + sql + " \\gset\n\\startpipeline\n"
			continue
		}
		text += sql + ";\n"
	}
	s.text = text + "\\endpipeline\n"
	return s
}

// varies is how an argument is spelled that is another one in each run, or that pgbench has no variables for;
// empty for all others.
func (s statement) varies(n int, value *string, o shippable, orderID string) string {
	switch {
	case value == nil:
		return "null"
	case *value == "":
		return "''"
	case *value == o.no, n == 2 && strings.HasPrefix(s.text, "-- name: Inbox"): // a digest is as long as a number
		return ":no"
	case *value == orderID:
		return ":order_id"
	case *value == "{"+o.itemID+"}":
		return "array[:item_id]"
	case *value == o.itemID:
		return ":item_id"
	}
	return ""
}
