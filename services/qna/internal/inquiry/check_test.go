package inquiry_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/qna/internal/inquiry"
)

// A valid inquiry has no problem, also with an unknown category or when it was written just
// now.
func TestCheck_soundInquiry(t *testing.T) {
	t.Parallel()
	p := posted()
	require.Empty(t, p.Check("inquiries[0]", noon), "written now")
	p.Category, p.Body, p.ImageURLs = "새 분류", "tab\tand line ends\r\n\n", nil
	require.Empty(t, p.Check("inquiries[0]", noon), "any category is allowed")
}

// Values that would break a later statement or a client are refused here, with the path of
// the field.
func TestCheck_problemPaths(t *testing.T) {
	t.Parallel()
	for field, spoil := range map[string]func(*inquiry.Posted){
		"qna_id":              func(p *inquiry.Posted) { p.QnaID = uuid.Nil },
		"seller_id":           func(p *inquiry.Posted) { p.SellerID = uuid.Nil },
		"product_id":          func(p *inquiry.Posted) { p.ProductID = uuid.Nil },
		"product_name":        func(p *inquiry.Posted) { p.ProductName = "" },
		"category":            func(p *inquiry.Posted) { p.Category = " " },
		"body":                func(p *inquiry.Posted) { p.Body = "a\x00b" },
		"member_display_name": func(p *inquiry.Posted) { p.MemberDisplayName = strings.Repeat("가", 101) },
		"image_urls":          func(p *inquiry.Posted) { p.ImageURLs = slices.Repeat([]string{"https://a.example"}, 51) },
		"image_urls[1]":       func(p *inquiry.Posted) { p.ImageURLs[1] = "https://a.example/\nhttps://b.example" },
		"created_at":          func(p *inquiry.Posted) { p.CreatedAt = noon.Add(time.Microsecond) },
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			p := posted()
			spoil(&p)
			problems := p.Check("inquiries[7]", noon)
			require.Len(t, problems, 1)
			require.Equal(t, "inquiries[7]."+field, problems[0].Field)
		})
	}
}

// A time that is missing or cannot be formatted is refused.
func TestCheck_missingOrUnshowableTime(t *testing.T) {
	t.Parallel()
	for code, at := range map[string]time.Time{"required": {}, "range": time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC)} {
		p := posted()
		p.CreatedAt = at
		problems := p.Check("x", noon)
		require.Len(t, problems, 1)
		require.Equal(t, code, problems[0].Code)
	}
}

func TestCheck_reportsAllProblems(t *testing.T) {
	t.Parallel()
	p := posted()
	p.ProductName, p.Body, p.CreatedAt = "\xff", "", time.Time{}
	problems := p.Check("x", noon)
	require.Len(t, problems, 3)
	require.Equal(t, "encoding", problems[0].Code)
}
