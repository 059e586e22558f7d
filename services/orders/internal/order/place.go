package order

import (
	"fmt"

	"github.com/google/uuid"
)

// PlaceOutcome says what became of a placement.
type PlaceOutcome int

// The outcomes.
const (
	// Placed: the order is new.
	Placed PlaceOutcome = iota + 1
	// AlreadyPlaced: an order with the same number and content already exists.
	AlreadyPlaced
	// PlaceConflict: an order with the same number and other content already exists and is unchanged.
	PlaceConflict
)

// PlaceResult is the result of one placement.
type PlaceResult struct {
	Outcome PlaceOutcome
	// ItemIDs are those of the lines, in the order of the placement; none on a conflict.
	ItemIDs []uuid.UUID
}

// TakenError says that the item id of a line in a placement is taken by an item of another order. Nothing was placed.
type TakenError struct {
	// Placement, Part and Line are indexes into the placements.
	Placement, Part, Line int
}

// Error implements error.
func (e *TakenError) Error() string {
	return fmt.Sprintf("the item id of line %d of seller %d of order %d is taken", e.Line, e.Part, e.Placement)
}
