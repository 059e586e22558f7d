package failover

import (
	"context"
	"fmt"
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

// effect is what a process call leaves in the database.
type effect string

const (
	prepared effect = "preparing"
	shipped  effect = "shipment"
)

// record is a call that was made and its outcome.
type record struct {
	call
	sent, answered time.Time
	// status is the status of the first answer, 0 when none came; last is the status of the last retry.
	status, last int
}

// findings are the results of a trial.
type findings struct {
	records       []record
	killed, ended time.Time
	// servers is the time from the kill until a plain client's first successful write.
	servers time.Duration
	// affects reports whether a seller's calls need the server that was killed. It is nil when all calls do.
	affects func(seller string) bool
	// effects counts the effects found in the database, by order number.
	effects map[string]map[effect]int
	// stored is how many answers with a status of 500 or more are stored for replay.
	stored int
}

// statuses counts the answers to calls of a class by status.
func (f *findings) statuses(of class) map[int]int {
	counts := map[int]int{}
	for i := range f.records {
		if r := &f.records[i]; r.class == of {
			counts[r.status]++
		}
	}
	return counts
}

// failed returns the process calls that did not succeed at once.
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

// isAffected reports whether a call needs the server that was killed.
func (f *findings) isAffected(r *record) bool {
	return f.affects == nil || f.affects(r.order.seller.id)
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

// account sums up the outcomes of the process calls.
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

// account compares the outcomes of the calls with the database.
func (f *findings) account() (a account) {
	for i := range f.records {
		r := &f.records[i]
		if r.class != process {
			continue
		}
		succeeded := r.status == http.StatusOK || r.last == http.StatusOK
		had := f.effects[r.order.no][r.effect]
		a.acknowledged += one(r.status == http.StatusOK)
		a.failed += one(r.status != http.StatusOK)
		a.lost += one(succeeded && had == 0)
		a.doubled += one(had > 1)
		a.refused += one(!succeeded)
	}
	return a
}

// one returns 1 when the condition is true, and 0 otherwise.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// effects counts what the calls left in the database, by order number: changes to the state preparing, and shipments. stored is
// the number of stored answers with a status of 500 or more.
func effects(ctx context.Context, database string) (counted map[string]map[effect]int, stored int, err error) {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	counted = map[string]map[effect]int{}
	for kind, statement := range map[effect]string{
		prepared: `select o.order_no, count(*) from orders.status_changes c join orders.orders o using (seller_id, order_id)
			where c.to_status = 'preparing' group by o.order_no`,
		shipped: "select o.order_no, count(*) from orders.shipments s join orders.orders o using (seller_id, order_id) group by o.order_no",
	} {
		rows, err := conn.Query(ctx, statement)
		if err != nil {
			return nil, 0, fmt.Errorf("count %s: %w", kind, err)
		}
		var no string
		var count int
		_, err = pgx.ForEachRow(rows, []any{&no, &count}, func() error {
			if counted[no] == nil {
				counted[no] = map[effect]int{}
			}
			counted[no][kind] = count
			return nil
		})
		if err != nil {
			return nil, 0, fmt.Errorf("count %s: %w", kind, err)
		}
	}
	return counted, stored, conn.QueryRow(ctx, "select count(*) from orders.inbox_answers where status >= 500").Scan(&stored)
}
