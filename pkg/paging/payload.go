package paging

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
)

// version is the first byte of a payload. A new format gets a new number; readers support both as long as old cursors may be in
// use.
const version = 2

func encodePayload(scope Scope, position Position) []byte {
	out := appendText([]byte{version}, scope.List)
	out = appendText(out, scope.SellerID)
	out = binary.AppendUvarint(out, uint64(len(scope.Filters)))
	for _, name := range slices.Sorted(maps.Keys(scope.Filters)) {
		out = appendText(out, name)
		out = appendText(out, scope.Filters[name])
	}
	out = binary.AppendVarint(out, position.UpdatedAt.UnixMicro())
	return append(out, position.ID[:]...)
}

// readPayload parses the result of encodePayload and accepts no trailing bytes.
func readPayload(raw []byte) (Scope, Position, bool) {
	r := reader{rest: raw}
	if r.byte() != version {
		return Scope{}, Position{}, false
	}
	scope := Scope{List: r.text(), SellerID: r.text(), Filters: map[string]string{}}
	for range r.count() {
		name := r.text()
		scope.Filters[name] = r.text()
	}
	position := Position{UpdatedAt: time.UnixMicro(r.varint()).UTC(), ID: r.uuid()}
	return scope, position, !r.broken && len(r.rest) == 0
}

// appendText appends a text with a length prefix.
func appendText(out []byte, text string) []byte {
	out = binary.AppendUvarint(out, uint64(len(text)))
	return append(out, text...)
}

// reader parses a payload. After the first error it is broken and yields zero values.
type reader struct {
	rest   []byte
	broken bool
}

// fail marks the reader broken and drops what is left, so that every later read ends at once.
func (r *reader) fail() { r.broken, r.rest = true, nil }

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.fail()
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// count reads a number that cannot be larger than the number of remaining bytes.
func (r *reader) count() int {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > uint64(len(r.rest)-size) {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return int(n) //nolint:gosec // bounded by the length of the input
}

func (r *reader) uuid() (id uuid.UUID) {
	if len(r.rest) < len(id) {
		r.fail()
		return id
	}
	r.rest = r.rest[copy(id[:], r.rest):]
	return id
}

func (r *reader) text() string {
	n := r.count()
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}

func (r *reader) varint() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}
