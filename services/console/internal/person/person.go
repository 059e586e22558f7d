// Package person knows who uses the console: a person with a role for some sellers or for all, as the OpenID provider says.
package person

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"
)

// Role is what a person may do for a seller.
type Role string

// The roles, from the most to the least.
const (
	// Representative of a seller: everything.
	Representative Role = "representative"
	// Developer of a seller: calls and webhooks, no keys.
	Developer Role = "developer"
	// Support of the marketplace: may read everything of every seller, and change nothing.
	Support Role = "support"
)

// Roles returns all of them.
func Roles() []Role { return []Role{Representative, Developer, Support} }

// Person is who has signed in.
type Person struct {
	// Subject identifies the person at the provider, and never changes.
	Subject string `json:"subject"`
	// Name is shown; it identifies nobody.
	Name string `json:"name"`
	// Of has the roles of a person for single sellers.
	Of map[uuid.UUID]Role `json:"of"`
	// Names has the names of sellers that the provider knows.
	Names map[uuid.UUID]string `json:"names,omitempty"`
	// Support reports whether the person is of the marketplace's support.
	Support bool `json:"support"`
	// Ignored is how many roles for further sellers were ignored.
	Ignored int `json:"-"`
}

// maxSellers limits the sellers of a person, so that a session stays small.
const maxSellers = 1000

// New returns the person with the roles that the provider lists: representative:SELLER_ID, developer:SELLER_ID, support. Other
// texts, such as the roles of other programs, are ignored. Of two roles for a seller the greater one counts.
func New(subject, name string, roles []string) Person {
	p := Person{Subject: subject, Name: clean(name), Of: map[uuid.UUID]Role{}}
	for _, text := range roles {
		kind, id, hasID := strings.Cut(text, ":")
		seller, err := uuid.Parse(id)
		switch {
		case text == string(Support):
			p.Support = true
		case !hasID || err != nil || seller == uuid.Nil:
		case len(p.Of) == maxSellers && p.Of[seller] == "":
			p.Ignored++
		case Role(kind) == Representative, Role(kind) == Developer && p.Of[seller] == "":
			p.Of[seller] = Role(kind)
		}
	}
	return p
}

// NameSellers keeps the names of those sellers for which the person has a role, by their ids. They are shown; they identify
// nobody.
func (p *Person) NameSellers(names map[string]string) {
	for id, name := range names {
		seller, err := uuid.Parse(id)
		if err != nil || p.For(seller) == "" || len(p.Names) == maxSellers {
			continue
		}
		if name = clean(name); name != "" {
			if p.Names == nil {
				p.Names = map[uuid.UUID]string{}
			}
			p.Names[seller] = name
		}
	}
}

// For returns the role of the person for a seller, "" for none.
func (p *Person) For(seller uuid.UUID) Role {
	role := p.Of[seller]
	if role == "" && p.Support {
		return Support
	}
	return role
}

// HasRole reports whether the person may use the console at all.
func (p *Person) HasRole() bool { return p.Support || len(p.Of) > 0 }

// Sellers returns the sellers for which the person has a role of its own, sorted.
func (p *Person) Sellers() []uuid.UUID {
	return slices.SortedFunc(maps.Keys(p.Of), func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
}

const (
	maxName    = 60
	maxSubject = 100
)

// Actor returns how the audit trail of the gateway names the person: name, role, and the subject, which alone identifies; at most
// 200 characters.
func (p *Person) Actor(role Role) string {
	return fmt.Sprintf("%s (%s, %s)", clean(p.Name), role, shorten(strip(p.Subject), maxSubject))
}

// clean makes a text of the provider fit for one line.
func clean(text string) string {
	return shorten(strings.Join(strings.Fields(strip(text)), " "), maxName)
}

// strip removes what is not visible, which could make one name look like another.
func strip(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, ""))
}

func shorten(text string, most int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), most)])
}
