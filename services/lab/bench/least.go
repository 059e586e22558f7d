package bench

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// leastSQL holds the tables, the orders and the transaction of least.sql.
//
//go:embed least.sql
var leastSQL string

func leastPart(name string) string {
	_, rest, _ := strings.Cut(leastSQL, "-- name: "+name+"\n")
	part, _, _ := strings.Cut(rest, "\n-- name: ")
	return part
}

// leastAnswer has the length of the response to a shipment.
var leastAnswer = strings.Repeat("x", 400)

type leastTables struct {
	database string
	placed   int
}

func newLeastTables(ctx context.Context, database string) (*leastTables, error) {
	return &leastTables{database: database}, execute(ctx, database, leastPart("tables"))
}

// place adds paid orders, each consecutive ones per client, and returns the number of the first order. Every client is a
// seller of its own.
func (l *leastTables) place(ctx context.Context, clients, each int) (first int, err error) {
	first = l.placed
	l.placed += clients * each
	return first, query(ctx, l.database, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, leastPart("orders"), first, clients*each, each, clients)
		if err == nil {
			_, err = conn.Exec(ctx, "analyze least.orders, least.lines, least.list")
		}
		return err
	})
}

// nextOrder selects the next order of each pgbench client: the orders of a client are consecutive, beginning at :first plus
// its share.
const nextOrder = `\set no :first + :client_id * :each + :taken
\set taken :taken + 1
`

func (l *leastTables) shipping(first, each int) script {
	return script{text: nextOrder + `\set seller :client_id` + "\n" + leastPart("shipment"), defines: []string{
		"taken=0", fmt.Sprintf("first=%d", first), fmt.Sprintf("each=%d", each), "answer=" + leastAnswer,
	}}
}
