package invalid_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
)

// Without problems there is no error; otherwise there is one error with every problem, by its field and code, in the order of
// reading.
func TestProblems(t *testing.T) {
	t.Parallel()
	var p invalid.Problems
	require.NoError(t, p.Err())
	require.Equal(t, "C-1", p.Read("claim_no", "C-1", invalid.ClaimNo))
	require.True(t, p.Number("amount", 1, 1, math.MaxInt64))
	require.True(t, p.Count("items", 2, 1, 2))
	id := uuid.New()
	require.Equal(t, id, p.UUID("id", id.String()))
	require.NoError(t, p.Err())

	require.Empty(t, p.Read("claim_no", "C/1", invalid.ClaimNo))
	require.False(t, p.Number("amount", 0, 1, math.MaxInt64))
	require.False(t, p.Count("items", 0, 1, 2))
	require.False(t, p.Count("items", 3, 1, 2))
	p.UUID("id", uuid.Nil.String())
	p.UUID("id", "{"+id.String()+"}")
	p.NotAllowed("type", "a", "b")
	codes := make([]string, 0, len(p.List()))
	for _, problem := range p.List() {
		codes = append(codes, problem.Field+" "+problem.Code)
	}
	require.Equal(t, []string{
		"claim_no malformed", "amount range", "items too_few", "items too_many", "id malformed", "id malformed", "type not_allowed",
	}, codes)
	require.Equal(t, []string{"a", "b"}, p.List()[6].Allowed)
	require.ErrorIs(t, p.Err(), apierr.ValidationError)
}

// The response to a batch with an error in every entry is not larger than the request.
func TestProblems_limit(t *testing.T) {
	t.Parallel()
	var p invalid.Problems
	for range 150 {
		p.Add("x", apierr.FieldRange, "x")
	}
	require.Len(t, p.List(), 100)
	p.Append(p.List()...)
	require.Len(t, p.List(), 100)
}

// Each rule of a text is reported with its code.
func TestText(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind invalid.Text
		text string
		code string
	}{
		{invalid.Text{}, "\xff", apierr.FieldEncoding},
		{invalid.OrderNo, "a-1", apierr.FieldMalformed},
		{invalid.ID, "", apierr.FieldEmpty},
		{invalid.Memo, "\u3164", apierr.FieldEmpty},
		{invalid.Memo, strings.Repeat("가", 1001), apierr.FieldTooLong},
		{invalid.Memo, "a\rb", apierr.FieldControl},
		{invalid.OptionName, "a\nb", apierr.FieldControl},
		{invalid.Memo, "a\tb\r\nc", ""},
		{invalid.Memo, strings.Repeat("e\u0301", 1000), ""}, // counted after NFC
		{invalid.Memo.Optional(), " ", ""},
		{invalid.ID.Optional(), "", ""},
	} {
		var p invalid.Problems
		require.Equal(t, row.code == "", p.Text("x", row.text, row.kind), row)
		if row.code != "" {
			require.Equal(t, row.code, p.List()[0].Code, row)
		}
	}
}

// What is refused is told with all that is allowed, in both languages.
func TestText_controlsTold(t *testing.T) {
	t.Parallel()
	var p invalid.Problems
	require.True(t, p.Text("x", "a\tb\nc\r\nd", invalid.Memo))
	require.False(t, p.Text("x", "a\rb", invalid.Memo))
	require.Contains(t, p.List()[0].Message, "tabs and line ends (LF or CR LF)")
	require.Contains(t, p.List()[0].Korean, "줄 바꿈(LF, CRLF)과 탭")
}
