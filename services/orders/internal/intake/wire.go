package intake

import (
	"errors"

	"connectrpc.com/connect"

	"sellerapi.dev/services/orders/internal/order"
)

// wireErrors maps errors without a code in the public API to Connect codes.
var wireErrors = map[error]connect.Code{
	order.ErrPaymentEnded:      connect.CodeFailedPrecondition,
	order.ErrNotConfirmable:    connect.CodeFailedPrecondition,
	order.ErrNotCorrectable:    connect.CodeFailedPrecondition,
	order.ErrParcelNeeded:      connect.CodeInvalidArgument,
	order.ErrParcelSuperfluous: connect.CodeInvalidArgument,
	order.ErrActTaken:          connect.CodeAlreadyExists,
}

func wireError(err error) error {
	for refusal, code := range wireErrors {
		if errors.Is(err, refusal) {
			return connect.NewError(code, refusal)
		}
	}
	return err
}
