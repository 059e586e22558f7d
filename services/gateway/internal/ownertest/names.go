package ownertest

import (
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// The names of records and what calls on them do.
const (
	// Success leaves a row and answers with its number.
	Success = "ok"
	// Big does the same and answers at length, see BigBytes.
	Big = "big"
	// refusal is what the name of a record begins with whose calls leave a row and are then refused.
	refusal = "refuse."
)

// BigBytes is about how long the answers of Big are.
const BigBytes = 100 << 10

// Refusing is the name of a record whose calls are refused with the code.
func Refusing(code apierr.Code) string { return refusal + string(code) }

// refused is the refusal that a name stands for.
func refused(name string) error {
	if code, found := strings.CutPrefix(name, refusal); found {
		return apierr.Code(code)
	}
	return nil
}

// Point is a moment in the life of a process call.
type Point string

// The moments.
const (
	// BeforeKey: the call has arrived, nothing has been done.
	BeforeKey Point = "before_key"
	// BeforeCommit: the effect is there and can still be lost.
	BeforeCommit Point = "before_commit"
	// BeforeAnswer: effect and answer are kept, nobody knows yet.
	BeforeAnswer Point = "before_answer"
)

// Points are all moments.
func Points() []Point { return []Point{BeforeKey, BeforeCommit, BeforeAnswer} }
