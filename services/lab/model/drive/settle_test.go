package drive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"sellerapi.dev/services/lab/model"
)

// settleTimeout is how long the remaining work of a call may take on a busy machine: a refund without the provider's answer
// is requested again after ten seconds, and a step is also retried after ten seconds.
const settleTimeout = 3 * time.Minute

// The pauses between two polls: remaining work is usually done at once.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 250 * time.Millisecond
)

// leftUndone names the remaining work: steps of the seller, without the reshipments that wait for their lines, and refunds
// of claims to which the provider has not given an answer.
const leftUndone = `select coalesce(string_agg(what, ', '), '') from (
	select claim_no || ' ' || name as what from claims.steps
	where seller_id = $1 and not (name = 'ship-exchange-line' and claim_no = any ($2))
	union all
	select c.claim_no || ' ' || r.kind
	from claims.claims c join claims.refunds r on r.seller_id = c.seller_id and r.claim_id = c.claim_id
	where c.seller_id = $1 and c.claim_no = any ($3) and r.status <> 'succeeded' and r.provider_reference is null) undone`

var errRestless = errors.New("what the round has begun does not come to its end")

// settle waits until nothing is left to do of a round that led to one of the candidates. Only claims leave work to be done.
func (r *run) settle(ctx context.Context, round []model.Op, candidates []candidate) error {
	claims, waiting, left := r.claimsOf(round), r.waiting(candidates), ""
	if len(claims)+len(waiting) == 0 && len(r.model.Waiting()) == 0 {
		return nil
	}
	err := awhile(ctx, settleTimeout, errRestless, func() (bool, error) {
		err := r.system.database.QueryRow(ctx, leftUndone, r.seller, waiting, claims).Scan(&left)
		return left == "", err
	})
	if err != nil {
		return fmt.Errorf("%w: %s", err, left)
	}
	return nil
}

func (r *run) waiting(candidates []candidate) []string {
	waiting := []string{}
	for _, c := range candidates {
		for _, no := range c.outcome.Model.Waiting() {
			waiting = append(waiting, r.names.claim(no))
		}
	}
	return waiting
}

func (r *run) claimsOf(round []model.Op) []string {
	var claims []string
	for _, op := range round {
		if op.Claim != 0 {
			claims = append(claims, r.names.claim(op.Claim))
		}
		if op.Return != 0 {
			claims = append(claims, r.names.claim(op.Return))
		}
	}
	return claims
}

// awhile calls try until it is done, fails, or the limit has passed, in which case it returns late.
func awhile(ctx context.Context, limit time.Duration, late error, try func() (done bool, err error)) error {
	until := time.Now().Add(limit)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		done, err := try()
		switch {
		case done || err != nil:
			return err
		case time.Now().After(until):
			return late
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// unfinished reports whether a status leaves the outcome of a call unknown: the client has to repeat the call to learn it.
func unfinished(status int) bool {
	return status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// inProgress is the code of a call with a key whose first call is still in progress.
const inProgress = "IDEMPOTENCY_IN_PROGRESS"

// again makes a call, and repeats it as long as its answer leaves the outcome unknown.
func (r *run) again(ctx context.Context, call func() answer) (a answer) {
	isRepeated := false
	err := awhile(ctx, settleTimeout, nil, func() (bool, error) {
		a = call()
		a.repeated = isRepeated
		isRepeated = true
		isAnswered := !unfinished(a.status) && !hasCode(a.codes, inProgress)
		return isAnswered || a.lost != nil, nil
	})
	if err != nil {
		a.lost = err
	}
	return a
}
