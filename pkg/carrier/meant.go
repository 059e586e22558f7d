package carrier

import (
	"maps"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"sellerapi.dev/pkg/apierr"
)

// otherNames are other names of the carriers, in the form that [squeeze]
// returns: common and former names, names with the form of the company, such as
// (주)한진, and the codes of other marketplaces and of tracking services. They are
// used for hints in errors only; a shipment is never accepted with one.
var otherNames = func() map[string]Name {
	all := map[string]Name{}
	for name, others := range map[Name]string{
		CJLogistics: `
			cj cjgls cj택배 cjgls택배 대한통운 대한통운택배 cj대한통운택배 씨제이 씨제이택배 씨제이대한통운 씨제이대한통운택배 cj대한통운주 주cj대한통운 cj대한통운주식회사 주식회사cj대한통운
			씨제이대한통운주 주씨제이대한통운 씨제이대한통운주식회사 주식회사씨제이대한통운 대한통운주 주대한통운 대한통운구 구대한통운 cj대한통운구대한통운 cjgls구 구cjgls cjlogistics
			cjkoreaexpress koreaexpress doortodoor 04 krcjlogistics`,
		KoreaPost: `
			우체국 우편 우체국소포 우체국우편 우체국등기 우체국등기우편 우체국등기소포 우체국택배등기 우체국택배소포 등기 등기우편 등기소포 우편등기 우정사업본부 epost koreapost 01`,
		Hanjin: `
			한진 한진택배주 주한진택배 한진택배주식회사 주식회사한진택배 한진주 주한진 한진주식회사 주식회사한진 hanjin hanjinexpress 05`,
		Lotte: `
			롯데 롯데택배주 주롯데택배 롯데글로벌로지스 롯데글로벌로지스주 주롯데글로벌로지스 롯데글로벌로지스주식회사 주식회사롯데글로벌로지스 lotte lotteglogis lotteglobal
			lottegloballogistics 현대택배 현대택배구 구현대택배 롯데택배구현대택배 롯데택배구현대 현대로지스틱스 현대로지스틱스구 구현대로지스틱스 hyundai 08`,
		Logen: `
			로젠 로젠택배주 주로젠택배 로젠택배주식회사 주식회사로젠택배 로젠주 주로젠 로젠주식회사 주식회사로젠 logen ilogen kgb kgb택배 kgb택배구 구kgb택배 06`,
	} {
		for other := range strings.FieldsSeq(others) {
			all[other] = name
		}
	}
	return all
}()

// OtherNames returns the other names of the carriers, without blanks and
// punctuation and in one letter case and width, which people vary. The contract
// lists them for programs that read names that people typed.
func OtherNames() map[string]Name { return maps.Clone(otherNames) }

// squeeze removes from a name what people vary.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.ToLower(norm.NFKC.String(name)))
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

func notAllowed(name Name) error {
	refused := apierr.ShipmentCarrierNotAllowed.With(map[string]any{"allowed": Names()})
	if meant, known := Meant(string(name)); known {
		return refused.Meaning(apierr.HintCarrier.With(meant))
	}
	return refused.Meaning(hintCarriers)
}

// hintCarriers names the allowed carriers where it is not known which one was meant.
var hintCarriers = apierr.HintCarriers.With(strings.Join(names, ", "))
