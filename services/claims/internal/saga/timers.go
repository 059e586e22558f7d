package saga

import (
	"context"
	"time"

	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// service is the actor of what happens by itself.
const service = "claims"

// Ring implements jobs.Work: it looks whether the time of a claim has come.
func (s *Saga) Ring(ctx context.Context, alarm store.Alarm) error {
	if alarm.Name == claim.WatchInspection {
		return s.passUninspected(ctx, alarm)
	}
	return s.decideDue(ctx, alarm, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.ExpirePayment(now) })
}

// passUninspected lets the goods of a return pass that nobody inspected in time. Where the order's side has let go of the
// lines, nobody is there to be refused, and no money may move: the claim is frozen and waits for an operator.
func (s *Saga) passUninspected(ctx context.Context, alarm store.Alarm) error {
	c, err := s.claims.Get(ctx, alarm.SellerID, alarm.ClaimNo)
	if err != nil {
		return err
	}
	if due := c.InspectionDueAt; due == nil || c.PassUninspected(claim.Undone{}, *due).Verdict != claim.Execute {
		return nil
	}
	holds, err := s.lines.Holds(ctx, c.No)
	if err != nil {
		return err
	}
	return s.decideDue(ctx, alarm, func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
		d := c.PassUninspected(undone, now)
		if d.Verdict == claim.Execute && !holds {
			return c.SetFreeze(service, notHeld, now)
		}
		return d
	})
}

// decideDue asks the rules and tries what follows.
func (s *Saga) decideDue(ctx context.Context, alarm store.Alarm, decide store.Deciding) error {
	outcome, err := s.claims.Change(ctx, alarm.SellerID, alarm.ClaimNo, decide)
	if err != nil || outcome.Decision.Verdict != claim.Execute {
		return err
	}
	_ = s.follow(ctx, alarm.SellerID, alarm.ClaimNo) // what is not done is for the jobs
	return nil
}
