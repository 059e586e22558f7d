package order

import "errors"

// Payment is how far the payment of an order has come.
type Payment string

// The payments. All but the first are ends.
const (
	PaymentPending Payment = "pending"
	PaymentPaid    Payment = "paid"
	PaymentFailed  Payment = "failed"
	PaymentExpired Payment = "expired"
)

// ErrPaymentEnded says that the payment has ended in another way.
var ErrPaymentEnded = errors.New("the payment of the order has ended in another way")

// End reports whether a payment that stands at p has to change to end in the given way. It has not when it already did. It
// cannot, ErrPaymentEnded, when it ended in another way.
func (p Payment) End(outcome Payment) (bool, error) {
	switch p {
	case outcome:
		return false, nil
	case PaymentPending:
		return true, nil
	default:
		return false, ErrPaymentEnded
	}
}

// ItemState is the state of every item of an order on the day its payment comes to stand at p.
func (p Payment) ItemState() State {
	return State(p) // the first states of an item are named after the payment
}
