package failover

import (
	"context"
	"fmt"
	"math/bits"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// class is a class of calls: process calls or reads.
type class int

const (
	process class = iota
	read
)

// String returns the plural of the class, for a table.
func (c class) String() string { return [...]string{process: "process calls", read: "reads"}[c] }

type effect string

const (
	prepared effect = "preparing"
	shipped  effect = "shipment"
)

type record struct {
	call
	sent, answered time.Time
	// status is the status of the first answer, 0 when none came; last is the status of the last retry.
	status, last int
}

type findings struct {
	records       []record
	killed, ended time.Time
	// servers is the time from the kill until a plain client's first successful write.
	servers time.Duration
	// affects reports whether a call needs the server that was killed. It is nil when all calls do.
	affects func(call) bool
	remains
	// pages is how many pages the clients stored that read forwards, and inexact how many of their copies differ from a full read.
	pages, inexact int
	// prepared is how many transactions the killed server left prepared, and resolved how long after it was back the last of
	// them was resolved. resolved is 0 where servers do not prepare transactions.
	prepared int
	resolved time.Duration
}

type part struct{ no, seller string }

type remains struct {
	effects map[part]map[effect]int
	// stored is how many answers with a status of 500 or more are stored for replay.
	stored int
	// divided is how many orders differ between their sellers, or have another status than their items.
	divided int
}

func (f *findings) statuses(of class) map[int]int {
	counts := map[int]int{}
	for i := range f.records {
		if r := &f.records[i]; r.class == of {
			counts[r.status]++
		}
	}
	return counts
}

func (f *findings) failed() []*record {
	var failed []*record
	for i := range f.records {
		if r := &f.records[i]; r.class == process && r.status != http.StatusOK {
			failed = append(failed, r)
		}
	}
	return failed
}

// silence returns the longest time without a success in a class of calls, counting only the calls that need the killed server
// (affected), or only those that do not. It considers times that end after the kill; one that spans the kill begins with
// the last success
// before it.
func (f *findings) silence(of class, affected bool) time.Duration {
	var successes []time.Time
	for i := range f.records {
		if r := &f.records[i]; r.class == of && r.status == http.StatusOK && f.isAffected(r) == affected {
			successes = append(successes, r.answered)
		}
	}
	return longest(successes, f.killed, f.ended)
}

func (f *findings) isAffected(r *record) bool {
	return f.affects == nil || f.affects(r.call)
}

func (f *findings) hasUnaffected(of class) bool {
	return slices.ContainsFunc(f.records, func(r record) bool { return r.class == of && !f.isAffected(&r) })
}

// longest returns the longest time between two consecutive moments of which the later is after from, or between the last moment
// and until. Without any moment it is the whole time between from and until.
func longest(moments []time.Time, from, until time.Time) time.Duration {
	slices.SortFunc(moments, time.Time.Compare)
	last, most := from, time.Duration(0)
	for _, at := range moments {
		if at.After(from) {
			most = max(most, at.Sub(last))
		}
		last = at
	}
	return max(most, until.Sub(last))
}

type account struct {
	// acknowledged counts calls that succeeded at once, failed counts the others.
	acknowledged, failed int
	// lost counts calls that succeeded, at once or on a retry, but have no effect in the database.
	lost int
	// doubled counts calls whose effect was applied more than once.
	doubled int
	// refused counts calls that failed and did not succeed on a retry either.
	refused int
}

func (f *findings) account() (a account) {
	for i := range f.records {
		r := &f.records[i]
		if r.class != process {
			continue
		}
		succeeded := r.status == http.StatusOK || r.last == http.StatusOK
		had := f.effects[part{r.order.no, r.order.seller.id}][r.effect]
		a.acknowledged += one(r.status == http.StatusOK)
		a.failed += one(r.status != http.StatusOK)
		a.lost += one(succeeded && had == 0)
		a.doubled += one(had > 1)
		a.refused += one(!succeeded)
	}
	return a
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// inspect reads what the calls left: changes to the state preparing, shipments, stored answers and the parts of orders.
func inspect(ctx context.Context, database string) (found remains, err error) {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return remains{}, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	found.effects = map[part]map[effect]int{}
	for kind, statement := range map[effect]string{
		prepared: `select o.order_no, o.seller_id::text, count(*) from orders.status_changes c join orders.orders o using
			(seller_id, order_id)
			where c.to_status = 'preparing' group by o.order_no, o.seller_id`,
		shipped: `select o.order_no, o.seller_id::text, count(*) from orders.shipments s join orders.orders o using (seller_id,
			order_id)
			group by o.order_no, o.seller_id`,
	} {
		var of part
		var count int
		rows, _ := conn.Query(ctx, statement)
		_, err = pgx.ForEachRow(rows, []any{&of.no, &of.seller, &count}, func() error {
			if found.effects[of] == nil {
				found.effects[of] = map[effect]int{}
			}
			found.effects[of][kind] = count
			return nil
		})
		if err != nil {
			return remains{}, fmt.Errorf("count %s: %w", kind, err)
		}
	}
	if found.divided, err = countDivided(ctx, conn); err != nil {
		return remains{}, fmt.Errorf("compare the parts of orders: %w", err)
	}
	const stored = "select count(*) from orders.inbox_answers where status >= 500"
	return found, conn.QueryRow(ctx, stored).Scan(&found.stored)
}

type shared struct {
	// parts is how many were found, of those that the order has.
	parts, of int
	// statuses are their order statuses, and items is the union of the states of their items, a bit each, the least advanced lowest.
	statuses []int
	items    uint
}

// isWhole reports whether all parts are present and show the status of the least advanced item of any seller.
func (s *shared) isWhole() bool {
	least := bits.TrailingZeros(s.items) + 1
	return s.parts == s.of && !slices.ContainsFunc(s.statuses, func(status int) bool { return status != least })
}

// countDivided counts the orders whose parts do not agree. The items of a trial are paid, preparing or shipping.
func countDivided(ctx context.Context, conn *pgx.Conn) (count int, err error) {
	const statement = `select o.order_no, cardinality(o.sellers), p.order_status, p.line_states
		from orders.orders o join orders.seller_orders p using (seller_id, order_id)`
	orders := map[string]*shared{}
	var no string
	var of, status int
	var items uint
	rows, _ := conn.Query(ctx, statement)
	_, err = pgx.ForEachRow(rows, []any{&no, &of, &status, &items}, func() error {
		if orders[no] == nil {
			orders[no] = &shared{of: of}
		}
		order := orders[no]
		order.parts, order.statuses, order.items = order.parts+1, append(order.statuses, status), order.items|items
		return nil
	})
	for _, order := range orders {
		count += one(!order.isWhole())
	}
	return count, err
}
