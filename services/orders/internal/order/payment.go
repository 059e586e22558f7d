package order

import "errors"

// Payment is the state of the payment of an order.
type Payment string

// The states of a payment. All but the first are terminal.
const (
	PaymentPending Payment = "pending"
	PaymentPaid    Payment = "paid"
	PaymentFailed  Payment = "failed"
	PaymentExpired Payment = "expired"
)

// ErrPaymentEnded says that the payment has ended with another outcome.
var ErrPaymentEnded = errors.New("the payment of the order has ended in another way")

// End reports whether a payment in state p has to change to end with the outcome; it is false if it already did.
// ErrPaymentEnded when it ended with another outcome.
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

// ItemState returns the state that all items of an order get when its payment enters p.
func (p Payment) ItemState() State {
	return State(p) // the first states of an item have the names of the payment states
}
