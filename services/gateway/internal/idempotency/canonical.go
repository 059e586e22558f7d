package idempotency

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// canonical is the one spelling of a JSON value: without white space, strings with the fewest escapes, the members of every
// object in the order of RFC 8785. A body that is no JSON stays what it is.
//
// A client decides how deep a body is nested, and a call is not counted before its fingerprint is known. jsontext sorts objects
// in place, which is quick but moves every byte once for each object around it: seconds for a body of the allowed size. What
// is deeper than any body has to be is sorted by us, who move every byte once.
func canonical(body []byte) []byte {
	value, deep := jsontext.Value(bytes.Clone(body)), nesting(body) > shallow
	if err := value.Format(jsontext.ReorderRawObjects(!deep), jsontext.SpaceAfterComma(false)); err != nil {
		return body
	}
	if !deep {
		return value
	}
	return sorted(value)
}

// shallow is how many objects may be around a value that jsontext sorts.
const shallow = 16

// nesting is how many objects are around the innermost value of a JSON text.
func nesting(text []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch char := text[i]; {
		case char == '"':
			quoted = !quoted
		case quoted && char == '\\':
			i++
		case !quoted && char == '{':
			depth++
			deepest = max(deepest, depth)
		case !quoted && char == '}':
			depth--
		}
	}
	return deepest
}

// sorted is compact JSON, without duplicate names, with all members in order.
func sorted(value []byte) []byte {
	s := sorter{text: value, in: jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true))}
	s.find()
	slices.SortFunc(s.objects, func(x, y object) int { return cmp.Compare(x.from, y.from) })
	s.out = make([]byte, 0, len(value))
	s.write(0, len(value))
	return s.out
}

// sorter puts the members of objects in order.
type sorter struct {
	text    []byte // compact
	in      *jsontext.Decoder
	around  []member // the members so far of all objects around the place that is read
	objects []object // those whose members are not in order
	out     []byte
}

// object is the place of an object from its opening brace to before its closing one, and its members in order.
type object struct {
	from, to int
	members  []member
}

// member is the place of a member's name and value.
type member struct {
	name     []byte
	from, to int
}

// find reads one value and collects the objects in it that are not in order. It has been read before, so it has no errors.
func (s *sorter) find() {
	token, _ := s.in.ReadToken()
	if token.Kind() == jsontext.KindBeginObject {
		s.findIn()
	}
	if token.Kind() == jsontext.KindBeginArray {
		for s.in.PeekKind() != jsontext.KindEndArray {
			s.find()
		}
		_, _ = s.in.ReadToken()
	}
}

// findIn reads the rest of an object.
func (s *sorter) findIn() {
	first, from, inOrder := len(s.around), s.at()-1, true
	for s.in.PeekKind() != jsontext.KindEndObject {
		m := s.findMember(len(s.around) == first)
		if inOrder && len(s.around) > first {
			inOrder = byName(s.around[len(s.around)-1], m) < 0
		}
		s.around = append(s.around, m)
	}
	if !inOrder {
		members := slices.Clone(s.around[first:])
		slices.SortFunc(members, byName)
		s.objects = append(s.objects, object{from: from, to: s.at(), members: members})
	}
	s.around = s.around[:first]
	_, _ = s.in.ReadToken()
}

func (s *sorter) findMember(first bool) member {
	m := member{from: s.at()}
	if !first {
		m.from++ // the comma
	}
	quoted, _ := s.in.ReadValue()
	m.name = s.text[m.from+1 : m.from+len(quoted)-1]
	if bytes.IndexByte(m.name, '\\') >= 0 {
		m.name, _ = jsontext.AppendUnquote(nil, quoted)
	}
	s.find()
	m.to = s.at()
	return m
}

// at is where the last token ended.
func (s *sorter) at() int { return int(s.in.InputOffset()) }

// write appends a part of the text with its objects in order.
func (s *sorter) write(from, to int) {
	for from < to {
		next, _ := slices.BinarySearchFunc(s.objects, from, func(o object, at int) int { return cmp.Compare(o.from, at) })
		if next == len(s.objects) || s.objects[next].from >= to {
			break
		}
		object := s.objects[next]
		s.out = append(s.out, s.text[from:object.from+1]...)
		for i, m := range object.members {
			if i > 0 {
				s.out = append(s.out, ',')
			}
			s.write(m.from, m.to)
		}
		from = object.to
	}
	s.out = append(s.out, s.text[from:to]...)
}

// byName orders members by the UTF-16 units of their names, as RFC 8785 does. That is the order of their bytes but for the
// characters that UTF-16 writes in two units, which come before the last ones that it writes in one.
func byName(x, y member) int {
	at := 0
	for at < min(len(x.name), len(y.name)) && x.name[at] == y.name[at] {
		at++
	}
	if at == len(x.name) || at == len(y.name) {
		return cmp.Compare(len(x.name), len(y.name))
	}
	for at > 0 && !utf8.RuneStart(x.name[at]) {
		at--
	}
	one, _ := utf8.DecodeRune(x.name[at:])
	other, _ := utf8.DecodeRune(y.name[at:])
	return cmp.Or(cmp.Compare(firstUnit(one), firstUnit(other)), cmp.Compare(one, other))
}

// firstUnit is the first UTF-16 unit of a character.
func firstUnit(char rune) rune {
	if char < 0x10000 {
		return char
	}
	return 0xd800 + (char-0x10000)>>10
}
