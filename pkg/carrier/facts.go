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
// of digits. Carriers change them without notice, so facts raise doubts (see
// [Suspicious]) and never refuse a number.
type Facts struct {
	Name Name
	// Lengths are the numbers of digits in use.
	Lengths []int
	// CheckFrom is where the digits begin, counted from 0, whose number modulo 7
	// is the last digit; -1 where no rule is known.
	CheckFrom int
}

// noCheck stands for a check digit whose rule is not public.
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

// names is the list that refusals show.
var names = func() []string {
	list := make([]string, 0, len(facts))
	for i := range facts {
		list = append(list, string(facts[i].Name))
	}
	return list
}()

// Names returns the allowed names, in the order of the specification.
func Names() []string { return slices.Clone(names) }

// factsOf finds the facts of a carrier; nil for a name that is none.
func factsOf(name Name) *Facts {
	for i := range facts {
		if facts[i].Name == name {
			return &facts[i]
		}
	}
	return nil
}
