package inquiry

// Category is the subject of an inquiry. The set is open: the marketplace may send a new one at any time and clients must
// accept it, so categories are not validated against this list.
type Category string

// The categories in use.
const (
	CategoryProduct      Category = "product"
	CategoryDelivery     Category = "delivery"
	CategoryReturnRefund Category = "return_refund"
	CategoryExchange     Category = "exchange"
	CategoryCancel       Category = "cancel"
	CategoryEtc          Category = "etc"
)
