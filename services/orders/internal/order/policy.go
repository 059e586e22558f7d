package order

// Policy is what a seller may do beyond what every seller may. The zero value is that of a seller for whom none was set.
type Policy struct {
	// ShipmentCorrection permits [Locked.CorrectShipment].
	ShipmentCorrection bool
}
