//nolint:errname // codes are named as the interface names them
package apierr

import "time"

// Code names one row of the error table. It is an error, so that rules can
// return it as it is; [From] turns any error back into the row it stands for.
type Code string

// rowByCode finds a row without walking the table; codes are asked on every
// failing request.
var rowByCode = func() map[Code]*Row {
	index := make(map[Code]*Row, len(table))
	for i := range table {
		index[table[i].Code] = &table[i]
	}
	return index
}()

// row returns the row of the code. A code that is not in the table is a
// programming error and is treated as Internal, so that it can never reach a
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

// Error is the name of the code, for logs.
func (c Code) Error() string { return string(c) }

// Status is the HTTP status of an answer that carries the code.
func (c Code) Status() int { return c.row().Status }

// WireCode is the value of meta.error_code, or "" when it is null.
func (c Code) WireCode() string {
	row := c.row()
	if row.Unpublished {
		return ""
	}
	return string(row.Code)
}

// Batch reports whether the code may stand in data.failed[].error_code of a
// batch shipment.
func (c Code) Batch() bool { return c.row().Batch }

// InBatch is the code that reports this failure for one entry of a batch: the
// code itself where the table allows it, [OrderBatchError] otherwise.
func (c Code) InBatch() Code {
	if c.Batch() {
		return c
	}
	return OrderBatchError
}

// Stored reports whether an answer with this code is kept under its idempotency
// key. An answer that is not kept leaves the key free to be sent again.
func (c Code) Stored() bool { return c.row().Stored }

// RetryAfter is the default of the Retry-After header in seconds; 0 means that
// the header is absent.
func (c Code) RetryAfter() int { return c.row().RetryAfter }

// Message is the text of meta.message. Its wording is no promise to clients.
func (c Code) Message(lang Lang) string {
	if lang == Korean {
		return c.row().Korean
	}
	return c.row().English
}

// With adds the data that a client can act on; it becomes error_data. Nothing
// in it may reveal that a record of another seller exists.
func (c Code) With(data map[string]any) *Error { return &Error{Code: c, Data: data} }

// Meaning adds what was probably meant.
func (c Code) Meaning(hint Phrase) *Error { return &Error{Code: c, Hint: hint} }

// Because adds the cause for the log. A client never sees it.
func (c Code) Because(cause error) *Error { return &Error{Code: c, Cause: cause} }

// After adds how long the client is asked to wait, in place of the default.
func (c Code) After(wait time.Duration) *Error { return &Error{Code: c, RetryAfter: wait} }
