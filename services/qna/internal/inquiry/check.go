package inquiry

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
)

const maxImages = 50

// Check returns all problems of a posted inquiry; path is its path in the request. now is the latest valid time of writing. Ids
// that could not be parsed are zero.
func (p *Posted) Check(path string, now time.Time) []apierr.FieldError {
	c := &checker{}
	c.id(path+".qna_id", p.QnaID)
	c.id(path+".seller_id", p.SellerID)
	c.id(path+".product_id", p.ProductID)
	c.Text(path+".product_name", p.ProductName, invalid.ProductName)
	c.Text(path+".category", string(p.Category), invalid.Category)
	c.Text(path+".body", p.Body, invalid.InquiryBody)
	c.Text(path+".member_display_name", p.MemberDisplayName, invalid.PersonName)
	c.images(path+".image_urls", p.ImageURLs)
	c.moment(path+".created_at", p.CreatedAt, now)
	return c.List()
}

type checker struct{ invalid.Problems }

func (c *checker) id(field string, id uuid.UUID) {
	if id == uuid.Nil {
		c.Add(field, apierr.FieldMalformed, "is not a UUID")
	}
}

// images checks the URLs. The images themselves are the marketplace's responsibility.
func (c *checker) images(field string, urls []string) {
	if !c.Count(field, len(urls), 0, maxImages) {
		return
	}
	for i, url := range urls {
		path := fmt.Sprintf("%s[%d]", field, i)
		if c.Text(path, url, invalid.ImageURL) && strings.ContainsFunc(url, unicode.IsSpace) {
			c.Add(path, apierr.FieldMalformed, "has white space in it")
		}
	}
}

func (c *checker) moment(field string, at, now time.Time) {
	implausible := timestamp.CheckReported(field, at)
	switch {
	case at.IsZero():
		c.Add(field, apierr.FieldRequired, "is required")
	case implausible != nil:
		c.Append(implausible...)
	case at.After(now):
		c.Add(field, apierr.FieldRange, "is in the future")
	}
}
