package jobs

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// stepArgs is the job that tries a step.
type stepArgs struct {
	StepID int64 `json:"step_id"`
}

// Kind implements river.JobArgs.
func (stepArgs) Kind() string { return "step" }

// InsertOpts implements river.JobArgsWithInsertOpts: a step that is planned again while its job is under way needs no other.
func (stepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: underWay}}
}

// underWay are the states of jobs that are still to do something.
var underWay = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
}

// refundArgs is the job that asks for a refund when it is due.
type refundArgs struct {
	SellerID uuid.UUID `json:"seller_id"`
	ClaimNo  string    `json:"claim_no"`
	RefundID uuid.UUID `json:"refund_id"`
}

// Kind implements river.JobArgs.
func (refundArgs) Kind() string { return "refund" }

func (a refundArgs) due() store.DueRefund {
	return store.DueRefund{SellerID: a.SellerID, ClaimNo: a.ClaimNo, ID: a.RefundID}
}

// alarmArgs is the job that wakes a claim up.
type alarmArgs struct {
	SellerID uuid.UUID  `json:"seller_id"`
	ClaimNo  string     `json:"claim_no"`
	Name     claim.Step `json:"name"`
}

// Kind implements river.JobArgs.
func (alarmArgs) Kind() string { return "alarm" }

func (a alarmArgs) alarm() store.Alarm {
	return store.Alarm{SellerID: a.SellerID, ClaimNo: a.ClaimNo, Name: a.Name}
}
