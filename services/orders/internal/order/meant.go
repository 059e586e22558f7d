package order

import (
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// meant says what was probably sent in the place of an item's id: an item's code, or the number of the order. It goes by the form
// alone, so that it says nothing about what there is.
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
