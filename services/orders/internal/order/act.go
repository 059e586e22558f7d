package order

import (
	"errors"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
)

// Act records who, as an operator, changed items, and why.
type Act struct {
	// ID is chosen by the caller; a retry has the same ID.
	ID       string
	Operator string
	Reason   string
}

// ErrActTaken says that the id of an act belongs to another one.
var ErrActTaken = errors.New("the id belongs to another act")

// Check returns all problems of the act; path is its path in the request.
func (a *Act) Check(path string) []apierr.FieldError {
	c := &checker{}
	c.Text(path+".act_id", a.ID, invalid.ID)
	c.Text(path+".operator", a.Operator, invalid.Operator)
	c.Text(path+".reason", a.Reason, invalid.Memo)
	return c.List()
}

// CheckParcel returns the problems with the lengths of a parcel's texts.
func CheckParcel(path string, shipment *SentParcel) []apierr.FieldError {
	c := &checker{}
	c.parcel(path, shipment)
	return c.List()
}
