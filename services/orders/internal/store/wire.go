// A page of 50 orders with two items each is read 1.34 times as fast as with the scanning of pgx, in CPU time of the service, and
// 1.15 times by the clock, the database's work included: BenchmarkPage.

package store

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/services/orders/internal/order"
)

// reader decodes the columns of a row one after the other from their wire format. Null becomes the zero value.
//
// A page has thousands of values, and a codec look-up for each would cost more than decoding it. The reader checks the binary
// format and the width of each value, so that a column with another position or type causes an error and never a wrong order.
type reader struct {
	values [][]byte
	column int
	err    error
}

// requireBinary checks that a result is in binary format; text is the same in both. Only a connection that uses the simple
// protocol gets text format.
func requireBinary(fields []pgconn.FieldDescription) error {
	for _, field := range fields {
		if field.Format != pgtype.BinaryFormatCode && field.DataTypeOID != pgtype.TextOID {
			return fmt.Errorf("column %s is not in binary format", field.Name)
		}
	}
	return nil
}

// next returns the next column. It returns false for null and for a value of another width, which sets err; width 0 matches any.
func (r *reader) next(width int) ([]byte, bool) {
	if r.column >= len(r.values) {
		r.err = fmt.Errorf("there is no column %d", r.column)
		return nil, false
	}
	value := r.values[r.column]
	r.column++
	if value == nil {
		return nil, false
	}
	if width != 0 && len(value) != width {
		r.err = fmt.Errorf("column %d has %d bytes; expected %d", r.column-1, len(value), width)
		return nil, false
	}
	return value, true
}

func (r *reader) int64() int64 {
	value, ok := r.next(8)
	if !ok {
		return 0
	}
	return int64(binary.BigEndian.Uint64(value)) //nolint:gosec // the bits are those of a signed number
}

func (r *reader) int32() int {
	value, ok := r.next(4)
	if !ok {
		return 0
	}
	return int(int32(binary.BigEndian.Uint32(value))) //nolint:gosec // the bits are those of a signed number
}

func (r *reader) status() order.Status {
	value, ok := r.next(2)
	if !ok {
		return ""
	}
	code := int(binary.BigEndian.Uint16(value))
	if code >= len(statusCodes) {
		r.err = fmt.Errorf("column %d has the unknown status code %d", r.column-1, code)
		return ""
	}
	return statusCodes[code]
}

func (r *reader) bool() bool {
	value, ok := r.next(1)
	return ok && value[0] != 0
}

func (r *reader) uuid() uuid.UUID {
	value, ok := r.next(16)
	if !ok {
		return uuid.Nil
	}
	return uuid.UUID(value)
}

func (r *reader) text() string {
	value, _ := r.next(0)
	return string(value)
}

// optionalText reads a text and returns nil for null.
func (r *reader) optionalText() *string {
	value, ok := r.next(0)
	if !ok {
		return nil
	}
	text := string(value)
	return &text
}

// epoch is the epoch of PostgreSQL timestamps (2000-01-01) in microseconds of Unix time.
const epoch = 946_684_800_000_000

func (r *reader) time() time.Time {
	value, ok := r.next(8)
	if !ok {
		return time.Time{}
	}
	return time.UnixMicro(int64(binary.BigEndian.Uint64(value)) + epoch).UTC() //nolint:gosec // the bits are those of a signed number
}

// words interns the values of low-cardinality columns, so that reading one does not allocate.
var words = func() map[string]string {
	known := map[string]string{"KRW": "KRW"}
	for _, state := range order.States() {
		known[string(state)] = string(state)
	}
	for _, status := range order.Statuses() {
		known[string(status)] = string(status)
	}
	return known
}()

func (r *reader) word() string {
	value, _ := r.next(0)
	if word, ok := words[string(value)]; ok {
		return word
	}
	return string(value)
}
