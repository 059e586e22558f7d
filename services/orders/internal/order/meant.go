package order

import (
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// meant names what was probably sent instead of an item id: an item code, or the order number. It checks only the form, so that
// it does not reveal what exists.
func (o *Locked) meant(id string) apierr.Phrase {
	seq, isCode := strings.CutPrefix(id, o.No+"-")
	switch {
	case isCode && seq != "" && strings.Trim(seq, "0123456789") == "":
		return apierr.HintItemCode.With(id)
	case id == o.No:
		return apierr.HintOrderNo.With(id)
	default:
		return apierr.Phrase{}
	}
}
