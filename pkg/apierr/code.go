//nolint:errname // codes are named as the interface names them
package apierr

import "time"

// Code names one row of the error table. It implements error, so that rules can
// return it directly; [From] maps any error to its row.
type Code string

// rowByCode finds a row without a search through the table: every failing
// request looks codes up.
var rowByCode = func() map[Code]*Row {
	index := make(map[Code]*Row, len(table))
	for i := range table {
		index[table[i].Code] = &table[i]
	}
	return index
}()

// A code that is missing from the table is a programming error and is treated as Internal, so that it can never reach a
// client as an undocumented code.
func (c Code) row() *Row {
	if row, ok := rowByCode[c]; ok {
		return row
	}
	return rowByCode[Internal]
}

// Lookup returns the code with the given name, published or not, and whether
// the table has it. Internal calls use it to carry a code across processes.
func Lookup(name string) (Code, bool) {
	_, ok := rowByCode[Code(name)]
	return Code(name), ok
}

// Error returns the name of the code, for logs.
func (c Code) Error() string { return string(c) }

// Status returns the HTTP status of a response that carries the code.
func (c Code) Status() int { return c.row().Status }

// WireCode returns the value of meta.error_code, or "" when it is null.
func (c Code) WireCode() string {
	row := c.row()
	if row.Unpublished {
		return ""
	}
	return string(row.Code)
}

// Batch reports whether the code may appear in data.failed[].error_code of a
// batch shipment.
func (c Code) Batch() bool { return c.row().Batch }

// InBatch returns the code that reports this failure for one entry of a batch:
// the code itself where the table allows it, [OrderBatchError] otherwise.
func (c Code) InBatch() Code {
	if c.Batch() {
		return c
	}
	return OrderBatchError
}

// Stored reports whether a response with this code is stored under its
// idempotency key. If it is not, the key may be used for another attempt.
func (c Code) Stored() bool { return c.row().Stored }

// RetryAfter returns the default of the Retry-After header in seconds; 0 means
// that the header is absent.
func (c Code) RetryAfter() int { return c.row().RetryAfter }

// Message returns the text of meta.message. Clients must not rely on its
// wording.
func (c Code) Message(lang Lang) string {
	if lang == Korean {
		return c.row().Korean
	}
	return c.row().English
}

// With returns an error that carries data a client can act on; it becomes
// error_data. It must not reveal that a record of another seller exists.
func (c Code) With(data map[string]any) *Error { return &Error{Code: c, Data: data} }

// Meaning returns an error with a hint at what the client probably meant.
func (c Code) Meaning(hint Phrase) *Error { return &Error{Code: c, Hint: hint} }

// Because returns an error with the cause for the log. Clients never see it.
func (c Code) Because(cause error) *Error { return &Error{Code: c, Cause: cause} }

// After returns an error that asks the client to wait this long, in place of
// the default.
func (c Code) After(wait time.Duration) *Error { return &Error{Code: c, RetryAfter: wait} }
