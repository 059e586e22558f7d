package idempotency

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sellerapi.dev/pkg/operation"
)

// contentOf returns a hash of the value of a JSON text: white space, escapes and the order of members do not matter, the notation of
// a number does. ok is false for a text that is not JSON in UTF-8, or has more tokens than services accept.
//
// It reads the text once and keeps a few bytes for each open array and object, at most ten thousand of them, whatever the client
// sends: the hash of an object uses the sum of the hashes of its members, so they need not be sorted, and a string with escapes is
// decoded piece by piece.
//
// A client can construct collisions: xxhash is not a cryptographic hash, and neither is a sum. Only requests of one seller with one
// key are ever compared, so the client would get the answer to its own first request, and no other client is affected. A random
// collision has a probability of 2^-64.
func contentOf(text []byte) (hash uint64, ok bool) {
	r := reader{Decoder: jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))}
	for range operation.BodyTokens + 1 {
		value, whole, err := r.next()
		switch {
		case errors.Is(err, io.EOF):
			return r.outermost.sum, r.outermost.length == 1
		case err != nil:
			return 0, false
		case whole:
			r.around().add(value)
		}
	}
	return 0, false
}

type reader struct {
	*jsontext.Decoder
	outermost level
	open      []level
	piece     []byte // of a string with escapes, in quotes
	spelt     []byte // the piece decoded
	digest    xxhash.Digest
}

type level struct {
	object bool
	named  bool   // the value of a member comes next
	name   uint64 // of that member
	sum    uint64 // of the content so far
	length uint64
}

// The kinds distinguish values with equal texts, such as 1 and "1".
const (
	kindScalar uint64 = iota + 1
	kindString
	kindArray
	kindObject
	kindMember
)

// next reads a token. It returns the hash of the value that the token completes, if any.
func (r *reader) next() (hash uint64, whole bool, err error) {
	switch kind := r.PeekKind(); kind {
	case '{', '[':
		if _, err := r.ReadToken(); err != nil {
			return 0, false, err
		}
		r.open = append(r.open, level{object: kind == '{'})
		return 0, false, nil
	case '}', ']':
		if _, err := r.ReadToken(); err != nil {
			return 0, false, err
		}
		hash = r.around().hash()
		r.open = r.open[:len(r.open)-1]
		return hash, true, nil
	default:
		text, err := r.ReadValue()
		if err != nil {
			return 0, false, err
		}
		if kind != '"' {
			return hashOf(kindScalar, text), true, nil
		}
		return mix(kindString, r.hashString(text), 0), true, nil
	}
}

func (r *reader) around() *level {
	if len(r.open) == 0 {
		return &r.outermost
	}
	return &r.open[len(r.open)-1]
}

// pieceLength is how much of a string with escapes is decoded at a time.
const pieceLength = 4 << 10

// hashString returns the hash of the characters of a string.
func (r *reader) hashString(quoted []byte) uint64 {
	text := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(text, '\\') < 0 {
		return xxhash.Sum64(text)
	}
	r.digest.Reset()
	for len(text) > 0 {
		length := pieceOf(text)
		r.piece = append(append(append(r.piece[:0], '"'), text[:length]...), '"')
		r.spelt, _ = jsontext.AppendUnquote(r.spelt[:0], r.piece) // already validated as a string
		_, _ = r.digest.Write(r.spelt)
		text = text[length:]
	}
	return r.digest.Sum64()
}

// surrogates is the length of two escapes that encode one character.
const surrogates = len(`\ud83d\ude00`)

// pieceOf returns the length of the first piece of a string's text. It does not end within an escape, a surrogate pair, or a
// character.
func pieceOf(text []byte) int {
	if len(text) <= pieceLength+surrogates {
		return len(text)
	}
	length := 0
	for length < pieceLength {
		switch {
		case text[length] != '\\':
			_, size := utf8.DecodeRune(text[length:])
			length += size
		case text[length+1] != 'u':
			length += len(`\n`)
		case isHighSurrogate(text[length:]):
			length += surrogates
		default:
			length += len(`\u0000`)
		}
	}
	return length
}

// isHighSurrogate reports whether an escape is the first of a pair: \ud800 to \udbff.
func isHighSurrogate(escape []byte) bool {
	return (escape[2] == 'd' || escape[2] == 'D') && bytes.IndexByte([]byte("89abAB"), escape[3]) >= 0
}

// add adds an element, the name of a member or its value.
func (l *level) add(value uint64) {
	switch {
	case !l.object:
		l.sum = mix(kindArray, l.sum, value)
		l.length++
	case !l.named:
		l.name, l.named = value, true
	default:
		l.sum += mix(kindMember, l.name, value)
		l.length++
		l.named = false
	}
}

func (l *level) hash() uint64 {
	if l.object {
		return mix(kindObject, l.sum, l.length)
	}
	return mix(kindArray, l.sum, l.length)
}

func hashOf(kind uint64, text []byte) uint64 { return mix(kind, xxhash.Sum64(text), 0) }

// mix returns a hash of three: a folded 128-bit product, mixed once more.
func mix(kind, a, b uint64) uint64 {
	high, low := bits.Mul64(a^0xa0761d6478bd642f, (b+kind)^0xe7037ed1a0b428db)
	hash := (high ^ low) * 0x9e3779b97f4a7c15
	return hash ^ hash>>32 ^ kind
}
