package order

import (
	"errors"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// ErrNotConfirmable says that an item is not delivered, so that its purchase cannot be confirmed.
var ErrNotConfirmable = errors.New("the item is not delivered")

// Buyer is the actor that confirms a purchase.
type Buyer string

// The actors that can confirm a purchase at any time after the delivery.
const (
	Customer Buyer = byCustomer
	Operator Buyer = byOperator
)

// errNotConfirmable represents ErrNotConfirmable where a code is needed. It is never returned to a client.
const errNotConfirmable apierr.Code = "NotConfirmable"

// Confirm confirms the purchase of items of any seller, all or none. Items confirmed before are unchanged. Codes:
// ORDER_ITEM_NOT_FOUND, ORDER_ITEM_HAS_ACTIVE_CLAIM; ErrNotConfirmable.
func (o *Locked) Confirm(by Buyer, ids []string) (Processed, error) {
	op := operation{trigger: Confirm, actor: string(by), done: SetOf(Confirmed), refusal: errNotConfirmable}
	result, err := o.process(op, uuid.Nil, ids, nil, Terms{})
	if errors.Is(err, errNotConfirmable) {
		return Processed{}, ErrNotConfirmable
	}
	return result, err
}

// ConfirmDue confirms the purchases that are due for automatic confirmation. The plan is empty when none is.
func (o *Locked) ConfirmDue() Plan {
	d := o.draft(Terms{})
	for i := range d.next.Items {
		item := &d.next.Items[i]
		if item.AutoConfirmAt.IsZero() || item.AutoConfirmAt.After(o.Now) || item.HasActiveClaim {
			continue
		}
		for _, rule := range Items.Find(item.State, Confirm) {
			if rule.Actor == byService {
				d.enter(item, rule.To)
				break
			}
		}
	}
	return d.done()
}
