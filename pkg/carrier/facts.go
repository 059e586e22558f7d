package carrier

import "slices"

// Name is the name of one of the five carriers, spelled as the API spells it.
type Name string

// The carriers, in the order of the specification.
const (
	CJLogistics Name = "CJ대한통운"
	KoreaPost   Name = "우체국택배"
	Hanjin      Name = "한진택배"
	Lotte       Name = "롯데택배"
	Logen       Name = "로젠택배"
)

// Facts is what is publicly known of a carrier's tracking numbers. They consist
// of digits. Carriers change them without notice, so a number that contradicts
// the facts only causes a warning (see [Suspicious]) and is never refused.
type Facts struct {
	Name Name
	// Lengths are the numbers of digits in use.
	Lengths []int
	// CheckFrom is the index of the first digit of the number that, modulo 7,
	// gives the last digit; -1 where no rule is known.
	CheckFrom int
}

// noCheck is the CheckFrom of a carrier whose check digit rule is not public.
const noCheck = -1

var facts = []Facts{
	{Name: CJLogistics, Lengths: []int{10, 12}, CheckFrom: 2},
	{Name: KoreaPost, Lengths: []int{13}, CheckFrom: noCheck},
	{Name: Hanjin, Lengths: []int{10, 12, 14}, CheckFrom: noCheck},
	{Name: Lotte, Lengths: []int{12}, CheckFrom: 0},
	{Name: Logen, Lengths: []int{10, 11}, CheckFrom: noCheck},
}

// All returns the facts of all carriers, in the order of the specification.
func All() []Facts { return slices.Clone(facts) }

var names = func() []string {
	list := make([]string, 0, len(facts))
	for i := range facts {
		list = append(list, string(facts[i].Name))
	}
	return list
}()

// Names returns the allowed names, in the order of the specification.
func Names() []string { return slices.Clone(names) }

// factsOf returns the facts of a carrier, or nil for an unknown name.
func factsOf(name Name) *Facts {
	for i := range facts {
		if facts[i].Name == name {
			return &facts[i]
		}
	}
	return nil
}
