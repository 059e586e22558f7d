package inquiry

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/timestamp"
)

// What an inquiry may hold; texts in code points.
const (
	maxProductName = 500
	maxCategory    = 50
	maxBody        = 20_000
	maxMemberName  = 100
	maxImages      = 50
	maxImageURL    = 2_000
)

// Check returns everything that is wrong with a posted inquiry; path is where it stands in the request. now is the latest
// time at which it can have been written. Ids that could not be read are zero.
func (p *Posted) Check(path string, now time.Time) []apierr.FieldError {
	c := &checker{}
	c.id(path+".qna_id", p.QnaID)
	c.id(path+".seller_id", p.SellerID)
	c.id(path+".product_id", p.ProductID)
	c.text(path+".product_name", p.ProductName, maxProductName)
	c.text(path+".category", string(p.Category), maxCategory)
	c.text(path+".body", p.Body, maxBody)
	c.text(path+".member_display_name", p.MemberDisplayName, maxMemberName)
	c.images(path+".image_urls", p.ImageURLs)
	c.moment(path+".created_at", p.CreatedAt, now)
	return c.problems
}

// checker collects problems.
type checker struct {
	problems []apierr.FieldError
}

// add notes one problem.
func (c *checker) add(field, code, message string) {
	c.problems = append(c.problems, apierr.FieldError{Field: field, Code: code, Message: message})
}

// id checks that there is an id.
func (c *checker) id(field string, id uuid.UUID) {
	if id == uuid.Nil {
		c.add(field, apierr.FieldMalformed, "is not a UUID")
	}
}

// text checks that a text is there, is not too long and has no control characters other than tab and line ends.
func (c *checker) text(field, value string, most int) {
	switch {
	case strings.TrimSpace(value) == "":
		c.add(field, apierr.FieldEmpty, "is empty or blank")
	case !utf8.ValidString(value):
		c.add(field, apierr.FieldEncoding, "is not valid UTF-8")
	case utf8.RuneCountInString(value) > most:
		c.add(field, apierr.FieldTooLong, fmt.Sprintf("has more than %d characters", most))
	case strings.ContainsFunc(value, isForbidden):
		c.add(field, apierr.FieldControl, "has control characters")
	}
}

// isForbidden reports whether no text needs the character.
func isForbidden(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) }

// images checks the addresses. What they lead to is the marketplace's business.
func (c *checker) images(field string, urls []string) {
	if len(urls) > maxImages {
		c.add(field, apierr.FieldTooMany, fmt.Sprintf("has more than %d elements", maxImages))
		return
	}
	for i, url := range urls {
		path := fmt.Sprintf("%s[%d]", field, i)
		c.text(path, url, maxImageURL)
		if strings.ContainsFunc(url, unicode.IsSpace) {
			c.add(path, apierr.FieldMalformed, "has white space in it")
		}
	}
}

// moment checks that the time is plausible and has passed.
func (c *checker) moment(field string, at, now time.Time) {
	implausible := timestamp.CheckReported(field, at)
	switch {
	case at.IsZero():
		c.add(field, apierr.FieldRequired, "is required")
	case implausible != nil:
		c.problems = append(c.problems, implausible...)
	case at.After(now):
		c.add(field, apierr.FieldRange, "is in the future")
	}
}
