package person_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/console/internal/person"
)

// A text that is no role of the console gives no right, and one seller's role none for another.
func TestNew(t *testing.T) {
	t.Parallel()
	a, b, c := uuid.New(), uuid.New(), uuid.New()
	p := person.New("sub", "Kim", []string{
		"developer:" + a.String(), "representative:" + a.String(), "representative:" + b.String(), "developer:" + b.String(),
		"representative:", "representative:*", "developer", "admin:" + c.String(), "Support", "support:" + c.String(), "", ":",
	})
	require.Equal(t, person.Representative, p.For(a))
	require.Equal(t, person.Representative, p.For(b))
	require.Equal(t, person.Role(""), p.For(c))
	require.Len(t, p.Sellers(), 2)
	require.True(t, p.HasRole())
	none := person.New("sub", "Kim", []string{"other"})
	require.False(t, none.HasRole())
}

// A person may have a thousand sellers. Further ones are counted, and a greater role for one of the thousand is not lost with
// them.
func TestNew_manySellers(t *testing.T) {
	t.Parallel()
	roles := make([]string, 0, 1002)
	for range 1000 {
		roles = append(roles, "developer:"+uuid.NewString())
	}
	beyond, first := uuid.New(), uuid.MustParse(roles[0][len("developer:"):])
	p := person.New("sub", "Kim", append(roles, "representative:"+beyond.String(), "representative:"+first.String()))
	require.Len(t, p.Sellers(), 1000)
	require.Equal(t, 1, p.Ignored)
	require.Equal(t, person.Representative, p.For(first))
	require.Equal(t, person.Role(""), p.For(beyond))
}

// Support has the least role for every seller, but keeps a role of its own.
func TestFor_support(t *testing.T) {
	t.Parallel()
	a := uuid.New()
	p := person.New("sub", "Kim", []string{"support", "developer:" + a.String()})
	require.Equal(t, person.Developer, p.For(a))
	require.Equal(t, person.Support, p.For(uuid.New()))
}

// The audit trail names the subject, which alone identifies, whatever a person is called; the gateway refuses other texts.
func TestActor(t *testing.T) {
	t.Parallel()
	p := person.New("sub-1", "Kim\n\u202e Min\u200b\tsu ", nil)
	require.Equal(t, "Kim Minsu (support, sub-1)", p.Actor(person.Support))
	p = person.New(strings.Repeat("가", 300), strings.Repeat("나", 300), nil)
	require.LessOrEqual(t, utf8.RuneCountInString(p.Actor(person.Representative)), 200)
}
