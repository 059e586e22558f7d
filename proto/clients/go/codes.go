//nolint:errname // codes are named as the interface names them
package sellerapi

// Code is the fixed name of an outcome. It is an error, so that errors.Is(err, CodeOrderNotFound) works on any error
// that a method returns. Codes that this package does not know are passed through. The empty code stands for failures
// without one: unknown paths, bodies that are too large, and failures of the server itself.
type Code string

// Error implements error.
func (c Code) Error() string { return string(c) }
