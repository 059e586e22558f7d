package ownertest

import (
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// The names of records and the behavior of calls on them.
const (
	// Success adds a row and returns its number.
	Success = "ok"
	// Big does the same with a long answer, see BigBytes.
	Big = "big"
	// refusal is the name prefix of records whose calls add a row and are then refused.
	refusal = "refuse."
)

// BigBytes is the approximate length of the answers of Big.
const BigBytes = 100 << 10

// Refusing returns the name of a record whose calls are refused with the code.
func Refusing(code apierr.Code) string { return refusal + string(code) }

func refused(name string) error {
	if code, found := strings.CutPrefix(name, refusal); found {
		return apierr.Code(code)
	}
	return nil
}

// Point is a point in the execution of a process call.
type Point string

// The points.
const (
	// BeforeKey: the call has arrived, nothing has been done.
	BeforeKey Point = "before_key"
	// BeforeCommit: the effect is written and can still be lost.
	BeforeCommit Point = "before_commit"
	// BeforeAnswer: effect and answer are committed but not sent.
	BeforeAnswer Point = "before_answer"
)

// Points returns all points.
func Points() []Point { return []Point{BeforeKey, BeforeCommit, BeforeAnswer} }
