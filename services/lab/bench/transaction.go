package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// transaction holds the statements that PostgreSQL received for one shipment, from begin to commit, and the order that it
// shipped.
type transaction struct {
	order      shippable
	orderID    string
	statements []statement
}

var errDifferent = errors.New("two shipments of the same kind are made of different statements")

func (b *benchmark) captureShipments(ctx context.Context, w *world, s *seller) (pair [2]transaction, err error) {
	return pair, b.ground.logging(ctx, func() error {
		for i := range pair {
			var err error
			if pair[i], err = b.captureShipment(ctx, w, s); err != nil {
				return err
			}
		}
		if len(pair[0].statements) != len(pair[1].statements) {
			return errDifferent
		}
		for i, one := range pair[0].statements {
			if one.text != pair[1].statements[i].text || len(one.args) != len(pair[1].statements[i].args) {
				return errDifferent
			}
		}
		return nil
	})
}

func (b *benchmark) captureShipment(ctx context.Context, w *world, s *seller) (transaction, error) {
	for range captureAttempts {
		placed, err := w.place(ctx, []*seller{s}, 1)
		if err != nil {
			return transaction{}, err
		}
		t := transaction{order: placed[0][0]}
		log, err := b.ground.logged(func() error { return w.once(ctx, t.order.shipment(s.key)) })
		if err != nil {
			return transaction{}, err
		}
		if t.statements = shipmentIn(log, t.order.no); t.statements != nil {
			t.orderID, err = w.orderID(ctx, t.order.no)
			return t, err
		}
	}
	return transaction{}, errNotLogged
}

// shipmentIn returns the transaction that names the order, without the statements that set up row-level security, or nil
// when the log does not contain all of it.
func shipmentIn(log []entry, orderNo string) []statement {
	named := slices.IndexFunc(log, func(e entry) bool {
		return e.program != "gateway" && e.names(orderNo) &&
			!isCommit(e.statement)
	})
	if named < 0 {
		return nil
	}
	var found []statement
	isIt := false
	for _, e := range log {
		if e.process != log[named].process || isScoping(e.statement) {
			continue
		}
		if isBegin(e.statement) {
			found, isIt = nil, false
		}
		found = append(found, statement{scoping.ReplaceAllString(e.text, ""), e.args})
		isIt = isIt || e.names(orderNo)
		if isCommit(e.statement) && isIt && isBegin(found[0]) {
			return found
		}
	}
	return nil
}

func isBegin(s statement) bool  { return strings.HasPrefix(s.text, "begin") }
func isCommit(s statement) bool { return s.text == "commit" }

func (w *world) orderID(ctx context.Context, orderNo string) (id string, err error) {
	return id, query(ctx, w.databaseURL, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "select order_id::text from orders.orders where order_no = $1", orderNo).Scan(&id)
	})
}

// seat selects once which seller a pgbench client is. The client cannot be told otherwise, because pgbench variables can
// only be numbers that it generates and counts.
const seat = `\if :taken = 0
select seller from bench.seats where client = :client_id \gset
\endif
`

// takeSeats records which seller each pgbench client is.
func takeSeats(ctx context.Context, database string, sellers []*seller) error {
	return query(ctx, database, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `create schema if not exists bench;
			create table if not exists bench.seats (client integer primary key, seller text); truncate bench.seats`)
		for client, one := range sellers {
			if err == nil {
				_, err = conn.Exec(ctx, "insert into bench.seats values ($1, $2)", client, one.id)
			}
		}
		return err
	})
}

// replay returns the script that does for other orders what was done for the two: arguments that name the order become
// variables. Statements are pipelined where no result is needed in between; the ids of the order are taken from the last
// statement before they are needed.
func replay(pair [2]transaction, sellerID string, first, each int) script {
	s := script{defines: []string{"taken=0", fmt.Sprintf("first=%d", first), fmt.Sprintf("each=%d", each)}}
	spelled := make([]string, len(pair[0].statements))
	needed := len(spelled)
	for i, one := range pair[0].statements {
		spelled[i] = one.spell(func(n int, value *string) string {
			variable, needsResult := pair[0].varies(value, pair[1].statements[i].args[n-1], sellerID)
			if needsResult {
				needed = min(needed, i)
			}
			if variable != "" {
				return variable
			}
			name := fmt.Sprintf("s%d_%d", i, n)
			if !slices.Contains(s.defines, name+"="+*value) {
				s.defines = append(s.defines, name+"="+*value)
			}
			return ":" + name
		})
	}
	together := func(statements []string) string {
		if len(statements) == 0 {
			return ""
		}
		return "\\startpipeline\n" + strings.Join(statements, ";\n") + ";\n\\endpipeline\n"
	}
	s.text = seat + nextOrder
	if needed == len(spelled) {
		s.text += together(spelled)
		return s
	}
	s.text += together(spelled[:needed-1]) + spelled[needed-1] + " \\gset\n" + together(spelled[needed:])
	return s
}

// varies returns how an argument is written that is not constant or that pgbench cannot hold in a variable, and whether its
// value is only known from a result; it returns "" for constants. Other arguments that differ between two shipments, such
// as times, parcel ids and response bodies, may be the same for all.
func (t transaction) varies(value, other *string, sellerID string) (spelled string, needsResult bool) {
	switch {
	case value == nil:
		return "null", false
	case *value == "":
		return "''", false
	case *value == sellerID:
		return ":seller", false
	case *value == "{"+sellerID+"}":
		return "array[:seller]::uuid[]", false
	case *value == t.order.no:
		return ":no", false
	case *value == "{"+t.order.no+"}":
		return "array[:no]::text[]", false
	case *value == t.orderID:
		return ":order_id", true
	case *value == t.order.itemID:
		return ":item_id", true
	case *value == "{"+t.order.itemID+"}":
		return "array[:item_id]::uuid[]", true
	}
	if _, err := strconv.ParseInt(*value, 10, 64); err == nil && other != nil && *other != *value {
		return ":no", false // the digest of the idempotency key
	}
	return "", false
}
