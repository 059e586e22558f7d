package carrier

import (
	"maps"
	"strings"

	"sellerapi.dev/pkg/apierr"
)

// otherNames are other names of the carriers, in the form that [squeeze]
// returns: common names, and the codes of other marketplaces and of tracking
// services. They are used for hints in errors only; a shipment is never accepted
// with one.
var otherNames = map[string]Name{
	"cj": CJLogistics, "cjgls": CJLogistics, "cj택배": CJLogistics, "대한통운": CJLogistics, "대한통운택배": CJLogistics, "cj대한통운택배": CJLogistics,
	"씨제이대한통운": CJLogistics, "cjlogistics": CJLogistics, "cjkoreaexpress": CJLogistics, "koreaexpress": CJLogistics, "doortodoor": CJLogistics,
	"04": CJLogistics, "krcjlogistics": CJLogistics,
	"우체국": KoreaPost, "우편": KoreaPost, "우체국소포": KoreaPost, "우편등기": KoreaPost, "epost": KoreaPost, "koreapost": KoreaPost, "01": KoreaPost,
	"한진": Hanjin, "hanjin": Hanjin, "hanjinexpress": Hanjin, "05": Hanjin,
	"롯데": Lotte, "lotte": Lotte, "롯데글로벌로지스": Lotte, "lotteglogis": Lotte, "lotteglobal": Lotte, "현대택배": Lotte, "hyundai": Lotte, "08": Lotte,
	"로젠": Logen, "logen": Logen, "ilogen": Logen, "kgb": Logen, "kgb택배": Logen, "06": Logen,
}

// OtherNames returns the other names of the carriers, without blanks and
// punctuation and in one letter case, which people vary. The contract lists them
// for programs that read names that people typed.
func OtherNames() map[string]Name { return maps.Clone(otherNames) }

// squeeze removes from a name what people vary.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-', '_', '.', '(', ')', '㈜':
			return -1
		default:
			return r
		}
	}, strings.ToLower(name))
}

// Meant returns the carrier that a name that is not allowed probably means.
func Meant(name string) (Name, bool) {
	squeezed := squeeze(name)
	for _, allowed := range names {
		if squeeze(allowed) == squeezed {
			return Name(allowed), true
		}
	}
	meant, known := otherNames[squeezed]
	return meant, known
}

// notAllowed returns the error for a name, with the allowed names and the one
// that was probably meant.
func notAllowed(name Name) error {
	refused := apierr.ShipmentCarrierNotAllowed.With(map[string]any{"allowed": Names()})
	if meant, known := Meant(string(name)); known {
		return refused.Meaning(apierr.HintCarrier.With(meant))
	}
	return refused.Meaning(hintCarriers)
}

// hintCarriers names the allowed carriers where it is not known which one was meant.
var hintCarriers = apierr.HintCarriers.With(strings.Join(names, ", "))
