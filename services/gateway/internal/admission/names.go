package admission

import (
	"encoding/base64"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
)

type names uuid.UUID

func namesOf(seller uuid.UUID) names { return names(seller) }

func (n names) state(key uuid.UUID) string { return n.name('k', key) }

func (n names) window(key uuid.UUID, class operation.Class) string { return n.name(class[0], key) }

func (n names) entry(digest inbox.Digest) string { return n.name('i', digest) }

// nameChars is the length of every name.
const nameChars = len("{") + idChars + len("}:k:") + idChars

// idChars is the length of an id in a name, which dominates the memory of an idle key.
const idChars = 22

func (n names) name(kind byte, id [16]byte) string {
	var text [nameChars]byte
	text[0] = '{'
	base64.RawURLEncoding.Encode(text[1:], n[:])
	copy(text[1+idChars:], []byte{'}', ':', kind, ':'})
	base64.RawURLEncoding.Encode(text[nameChars-idChars:], id[:])
	return string(text[:])
}
