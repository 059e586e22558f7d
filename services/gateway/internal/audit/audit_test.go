package audit

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func example() Entry {
	seller, key := uuid.MustParse("0190a1b2-0000-7000-8000-000000000001"), uuid.MustParse("0190a1b2-0000-7000-8000-000000000002")
	return Entry{
		ID: 7, At: time.Date(2026, 7, 14, 12, 31, 0, 123456000, time.FixedZone("", 9*3600)),
		Author: Author{Caller: "console", Actor: "kim"}, Action: Issued,
		SellerID: &seller, KeyID: &key, Detail: `{"purpose": "ERP"}`,
	}
}

// The format of the digest is guaranteed to those who check an export with a program of their own.
func TestEntry_digestForm(t *testing.T) {
	t.Parallel()
	first := example().After(Digest{})
	require.Equal(t, "6fd1ddcb0d56d7acc5b84462d036deb38516fa6a86bb8df6cbe8e9aeb7868463", first.String())
	require.NotEqual(t, first, example().After(first))
}

// A change of any field of an entry is detected; the length before each field separates it from the next.
func TestEntry_everyFieldCounts(t *testing.T) {
	t.Parallel()
	other := uuid.New()
	seen := map[Digest]bool{example().After(Digest{}): true}
	for _, alter := range []func(*Entry){
		func(e *Entry) { e.At = e.At.Add(time.Microsecond) },
		func(e *Entry) { e.Author.Caller = "operator" },
		func(e *Entry) { e.Author.Actor = "lee" },
		func(e *Entry) { e.Author = Author{Caller: "consolek", Actor: "im"} },
		func(e *Entry) { e.Action = Revealed },
		func(e *Entry) { e.SellerID = &other },
		func(e *Entry) { e.SellerID = nil },
		func(e *Entry) { e.SellerID, e.KeyID = e.KeyID, nil },
		func(e *Entry) { e.KeyID = &other },
		func(e *Entry) { e.KeyID = nil },
		func(e *Entry) { e.Detail = "{}" },
	} {
		entry := example()
		alter(&entry)
		digest := entry.After(Digest{})
		require.False(t, seen[digest], "%+v", entry)
		seen[digest] = true
	}
}

// An operator keeps a head as text and passes it in later.
func TestHead_textAndBack(t *testing.T) {
	t.Parallel()
	head := Head{ID: 12, Digest: example().After(Digest{})}
	read, err := ParseHead(head.String())
	require.NoError(t, err)
	require.Equal(t, head, read)
	for _, wrong := range []string{"", "12", "12:", "12:abcd", "x:" + head.Digest.String(), head.Digest.String()} {
		_, err := ParseHead(wrong)
		require.Error(t, err, "%q", wrong)
	}
}
