package admission

import (
	"encoding/base64"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/gateway/internal/route"
)

// short spells an id in 22 characters: names are most of what an idle key costs.
func short(id [16]byte) string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// names makes the names of a seller's keys from what all of them begin with.
type names string

func namesOf(seller uuid.UUID) names { return names("{" + short(seller) + "}:") }

func (n names) state(key uuid.UUID) string { return string(n) + "k:" + short(key) }

func (n names) window(key uuid.UUID, class route.Class) string {
	return string(n) + string(class[0]) + ":" + short(key)
}

func (n names) entry(digest inbox.Digest) string { return string(n) + "i:" + short(digest) }
