//nolint:errname // codes are named as the interface names them
package sellerapi

// Code is the fixed name of an outcome. It is an error, so that errors.Is(err, CodeOrderNotFound) works on whatever a
// method returns. Codes of the future arrive as they are. The empty code stands for failures that have none: unknown
// paths, bodies that are too large, and failures of the server itself.
type Code string

// Error implements error.
func (c Code) Error() string { return string(c) }
