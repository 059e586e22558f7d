package idempotency

import (
	"bytes"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// deepest is how many arrays and objects there may be around a value; no service reads a body that is nested deeper.
const deepest = 10_000

// contentOf returns a hash of the value that a JSON text stands for: white space, escapes and the order of members do not
// matter. ok is false for what is no JSON in UTF-8.
//
// It reads the text once and holds 32 bytes for each array and object that is open, whatever the client sends: the hash of an
// object is made of the sum of the hashes of its members, so they need not be sorted.
//
// BenchmarkContent has the bodies that cost most.
//
// A client that looks for two values with one hash finds them: xxhash is no cryptographic hash, and neither is a sum. Only
// requests of one seller under one key are ever compared, so it gets the answer to its own first request, and nobody else is
// concerned. By chance two values share a hash once in 2^64.
func contentOf(text []byte) (hash uint64, ok bool) {
	s := scanner{text: text}
	hash = s.value()
	s.space()
	return hash, !s.broken && s.at == len(text)
}

// scanner goes through a JSON text from the front.
type scanner struct {
	text   []byte
	at     int
	broken bool // the text is no JSON
	open   []level
}

// level is one open array or object.
type level struct {
	object bool
	name   uint64 // of the member whose value comes
	sum    uint64 // of what came so far
	length uint64
}

// The kinds keep values apart whose texts agree, such as 1 and "1".
const (
	kindScalar uint64 = iota + 1
	kindString
	kindArray
	kindObject
	kindMember
)

// mix makes one hash of three: a 128-bit product folded, then spread once more.
func mix(kind, a, b uint64) uint64 {
	high, low := bits.Mul64(a^0xa0761d6478bd642f, (b+kind)^0xe7037ed1a0b428db)
	hash := (high ^ low) * 0x9e3779b97f4a7c15
	return hash ^ hash>>32 ^ kind
}

// hashOf is the hash of a text. Most are shorter than what a call costs.
func hashOf(kind uint64, text []byte) uint64 {
	if len(text) > 8 {
		return mix(kind, xxhash.Sum64(text), 9)
	}
	var packed uint64
	for _, char := range text {
		packed = packed<<8 | uint64(char)
	}
	return mix(kind, packed, uint64(len(text)))
}

// value returns the hash of the value that begins here.
func (s *scanner) value() uint64 {
	for !s.broken {
		hash, whole := s.begin()
		for whole && len(s.open) > 0 {
			hash, whole = s.end(hash)
		}
		if whole {
			return hash
		}
	}
	return 0
}

// begin reads a scalar, an empty array or object, or the beginning of another one, which is not whole.
func (s *scanner) begin() (hash uint64, whole bool) {
	switch s.space(); s.peek() {
	case '[':
		return s.enter(level{sum: kindArray}, ']')
	case '{':
		return s.enter(level{object: true, sum: kindObject}, '}')
	case '"':
		return s.quoted(), !s.broken
	default:
		return s.scalar(), !s.broken
	}
}

// enter opens an array or object.
func (s *scanner) enter(l level, closing byte) (hash uint64, whole bool) {
	s.at++
	if s.space(); s.peek() == closing {
		s.at++
		return l.hash(), true
	}
	s.open = append(s.open, l)
	s.broken = s.broken || len(s.open) > deepest
	if l.object {
		s.name()
	}
	return 0, false
}

// end adds a whole value to what is around it, and returns that when it is whole too.
func (s *scanner) end(value uint64) (hash uint64, whole bool) {
	l := &s.open[len(s.open)-1]
	l.add(value)
	s.space()
	switch next := s.take(); {
	case next == ',' && l.object:
		s.space()
		s.name()
	case next == ',':
	case next == '}' && l.object, next == ']' && !l.object:
		hash = l.hash()
		s.open = s.open[:len(s.open)-1]
		return hash, true
	default:
		s.broken = true
	}
	return 0, false
}

func (l *level) add(value uint64) {
	l.length++
	if l.object {
		l.sum += mix(kindMember, l.name, value)
	} else {
		l.sum = mix(kindArray, l.sum, value)
	}
}

func (l *level) hash() uint64 {
	if l.object {
		return mix(kindObject, l.sum, l.length)
	}
	return mix(kindArray, l.sum, l.length)
}

// name reads the name of a member and the colon after it.
func (s *scanner) name() {
	s.broken = s.broken || s.peek() != '"'
	if s.broken {
		return
	}
	s.open[len(s.open)-1].name = s.quoted()
	s.space()
	s.broken = s.broken || s.take() != ':'
}

func (s *scanner) space() {
	if s.peek() <= ' ' {
		s.spaces()
	}
}

func (s *scanner) spaces() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\n' || s.text[s.at] == '\t' || s.text[s.at] == '\r') {
		s.at++
	}
}

// peek is the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) take() byte {
	next := s.peek()
	s.at++
	return next
}

// quoted reads a string and returns the hash of the text that it spells.
func (s *scanner) quoted() uint64 {
	s.at++
	start := s.at
	if s.piece(); s.broken {
		return 0
	}
	if s.text[s.at] == '\\' {
		return s.escaped(start)
	}
	s.at++
	return s.plain(s.text[start : s.at-1])
}

func (s *scanner) plain(text []byte) uint64 {
	s.broken = s.broken || !utf8.Valid(text)
	return hashOf(kindString, text)
}

// escaped reads the rest of a string that has escapes, from the first one on; the string began at start.
func (s *scanner) escaped(start int) uint64 {
	var spelt spelling
	spelt.digest.Reset()
	for !s.broken {
		piece := s.text[start:s.at]
		s.broken = s.broken || len(piece) > 0 && !utf8.Valid(piece)
		spelt.write(piece)
		if s.take() == '"' {
			return spelt.hash()
		}
		spelt.write(utf8.AppendRune(spelt.char[:0], s.escape()))
		start = s.at
		s.piece()
	}
	return 0
}

// piece goes to the next quotation mark or backslash.
func (s *scanner) piece() {
	for s.at < len(s.text) && s.text[s.at] != '"' && s.text[s.at] != '\\' && s.text[s.at] >= ' ' {
		s.at++
	}
	s.broken = s.broken || s.at >= len(s.text) || s.text[s.at] < ' '
}

// spelling hashes a text that comes in small pieces.
type spelling struct {
	digest xxhash.Digest
	length int
	held   [256]byte
	holds  int
	char   [utf8.UTFMax]byte
}

func (p *spelling) write(piece []byte) {
	p.length += len(piece)
	if len(piece) > len(p.held)-p.holds {
		_, _ = p.digest.Write(p.held[:p.holds])
		p.holds = 0
		if len(piece) > len(p.held) {
			_, _ = p.digest.Write(piece)
			return
		}
	}
	p.holds += copy(p.held[p.holds:], piece)
}

// hash is what hashOf is of the whole text.
func (p *spelling) hash() uint64 {
	if p.length <= len(p.held) && p.holds == p.length {
		return hashOf(kindString, p.held[:p.holds])
	}
	_, _ = p.digest.Write(p.held[:p.holds])
	return mix(kindString, p.digest.Sum64(), 9)
}

// escapes are the characters that one letter stands for.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads what follows a backslash.
func (s *scanner) escape() rune {
	letter := s.take()
	if letter == 'u' {
		return s.unicode()
	}
	s.broken = s.broken || escapes[letter] == 0
	return rune(escapes[letter])
}

// unicode reads the digits of a \u escape, and the second one of a pair of surrogates.
func (s *scanner) unicode() rune {
	first := s.hex()
	if !utf16.IsSurrogate(first) {
		return first
	}
	s.broken = s.broken || s.take() != '\\' || s.take() != 'u'
	pair := utf16.DecodeRune(first, s.hex())
	s.broken = s.broken || pair == utf8.RuneError
	return pair
}

func (s *scanner) hex() (code rune) {
	for range 4 {
		digit := s.take()
		switch {
		case '0' <= digit && digit <= '9':
			code = code<<4 | rune(digit-'0')
		case 'a' <= digit|0x20 && digit|0x20 <= 'f':
			code = code<<4 | rune(digit|0x20-'a'+10)
		default:
			s.broken = true
		}
	}
	return code
}

// scalar reads a number or a literal and returns the hash of its text: 1 and 1.0 are two contents.
func (s *scanner) scalar() uint64 {
	start := s.at
	switch char := s.peek(); char {
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	case 'n':
		s.literal("null")
	default:
		s.number(char)
	}
	if s.broken {
		return 0
	}
	return hashOf(kindScalar, s.text[start:s.at])
}

func (s *scanner) literal(text string) {
	s.broken = s.broken || !bytes.HasPrefix(s.text[s.at:], []byte(text))
	s.at += len(text)
}

// number reads a number that begins with first.
func (s *scanner) number(first byte) {
	if first == '-' {
		s.at++
		first = s.peek()
	}
	if first == '0' {
		s.at++
	} else {
		s.digits()
	}
	next := s.peek()
	if next == '.' {
		s.at++
		s.digits()
		next = s.peek()
	}
	if next|0x20 == 'e' {
		if s.at++; s.peek() == '+' || s.peek() == '-' {
			s.at++
		}
		s.digits()
	}
}

// digits reads one or more.
func (s *scanner) digits() {
	text, at := s.text, s.at
	for at < len(text) && text[at]-'0' <= 9 {
		at++
	}
	s.broken = s.broken || s.at == at
	s.at = at
}
