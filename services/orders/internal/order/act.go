package order

import (
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
)

// Act is what an operator did to items, and why.
type Act struct {
	// ID is the caller's: the same act sent again has the same.
	ID       string
	Operator string
	Reason   string
}

// Check returns everything that is wrong with the act; path is where it stands in the request.
func (a *Act) Check(path string) []apierr.FieldError {
	c := &checker{}
	c.Text(path+".act_id", a.ID, invalid.ID)
	c.Text(path+".operator", a.Operator, invalid.Operator)
	c.Text(path+".reason", a.Reason, invalid.Memo)
	return c.List()
}

// CheckShipment returns what is wrong with the lengths of the texts of a parcel.
func CheckShipment(path string, shipment *Shipment) []apierr.FieldError {
	c := &checker{}
	c.parcel(path, shipment)
	return c.List()
}
