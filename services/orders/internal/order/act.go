package order

import "sellerapi.dev/pkg/apierr"

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
	c.text(path+".act_id", a.ID, 1, 100)
	c.text(path+".operator", a.Operator, 1, 100)
	c.text(path+".reason", a.Reason, 1, 1000)
	return c.problems
}

// CheckMemberID returns what is wrong with the id of a member.
func CheckMemberID(path, memberID string) []apierr.FieldError {
	c := &checker{}
	c.text(path, memberID, 1, 100)
	return c.problems
}

// CheckShipment returns what is wrong with the lengths of the texts of a parcel.
func CheckShipment(path string, shipment *Shipment) []apierr.FieldError {
	c := &checker{}
	c.parcel(path, shipment)
	return c.problems
}
