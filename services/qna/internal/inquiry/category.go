package inquiry

// Category is what an inquiry is about. The set is open: the marketplace may send a new one at any time and clients must
// accept it, so nothing here or at the border compares a category with this list.
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
