// Package follow reads lists forwards, as a client does that keeps a copy, and compares the copy with a full read. A client that
// stores each page together with the position after it has an exact copy at rest, whatever happened in the meantime: to the
// client, to the services, or to their database.
package follow

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
)

// Get returns the data of the answer to a read. An error is about the call, and ends what the caller is doing.
type Get func(ctx context.Context, target string) (data any, err error)

// List is a list that can be read forwards.
type List struct {
	// Path is where it is, and ID the field that identifies its records.
	Path, ID string
}

// Lists returns all of them.
func Lists() []List {
	return []List{{"/open/v1/orders", "order_no"}, {"/open/v1/claims", "claim_no"}, {"/open/v1/qna", "qna_id"}}
}

// Beginning is the position before everything.
const Beginning = "beginning"

// wholePage is the number of records of a page of a full read, the most that the interface allows.
const wholePage = 100

// Page is what a client stores in one transaction.
type Page struct {
	// Records are by their identifiers.
	Records map[string]any
	// After is the position after the page, and More reports whether something newer was there already.
	After string
	More  bool
}

// Options are the parameters of a page forwards.
type Options struct {
	// Limit is the most records, and Wait for how many seconds the call is held while there is none; 0 does not hold it.
	Limit, Wait int
}

var errPage = errors.New("not a page")

// Next reads the page after a position.
func (l List) Next(ctx context.Context, get Get, after string, o Options) (p Page, err error) {
	query := url.Values{"after": {after}, "limit": {strconv.Itoa(o.Limit)}}
	if o.Wait > 0 {
		query.Set("wait", strconv.Itoa(o.Wait))
	}
	records, page, err := l.read(ctx, get, query)
	if err != nil {
		return p, err
	}
	p.After, _ = page["after"].(string)
	if p.Records = records; p.After == "" {
		return p, fmt.Errorf("%s: %w: %v", l.Path, errPage, page)
	}
	p.More = page["next_cursor"] != nil
	return p, nil
}

// All reads the whole list, the latest change first.
func (l List) All(ctx context.Context, get Get) (map[string]any, error) {
	all, query := map[string]any{}, url.Values{"limit": {strconv.Itoa(wholePage)}}
	for {
		records, page, err := l.read(ctx, get, query)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, records)
		next, more := page["next_cursor"].(string)
		if !more {
			return all, nil
		}
		query.Set("cursor", next)
	}
}

func (l List) read(ctx context.Context, get Get, query url.Values) (records, page map[string]any, err error) {
	data, err := get(ctx, l.Path+"?"+query.Encode())
	if err != nil {
		return nil, nil, err
	}
	page, _ = data.(map[string]any)
	list, ok := page["list"].([]any)
	if !ok {
		return nil, nil, fmt.Errorf("%s: %w: %v", l.Path, errPage, data)
	}
	records = make(map[string]any, len(list))
	for _, one := range list {
		object, _ := one.(map[string]any)
		id, _ := object[l.ID].(string)
		records[id] = one
	}
	return records, page, nil
}

// Copy is a client's copy of a list, and the position up to which it was read.
type Copy struct {
	List    List
	Records map[string]any
	After   string
}

// New returns a copy of which nothing was read yet.
func New(of List) *Copy { return &Copy{List: of, Records: map[string]any{}, After: Beginning} }

// errOld is returned when a version of a record comes that is not newer than the one before.
var errOld = errors.New("a version comes that is not newer than the last")

// Add stores a page. A client that stops between reading a page and storing it has not called Add.
func (c *Copy) Add(p Page) error {
	for id, one := range p.Records {
		if before, known := c.Records[id]; known && updatedAt(one) <= updatedAt(before) {
			return fmt.Errorf("%s: %s: %w: %s, %s", c.List.Path, id, errOld, updatedAt(before), updatedAt(one))
		}
	}
	maps.Copy(c.Records, p.Records)
	c.After = p.After
	return nil
}

func updatedAt(record any) string {
	object, _ := record.(map[string]any)
	text, _ := object["updated_at"].(string)
	return text
}

// CatchUp reads until there is nothing newer.
func (c *Copy) CatchUp(ctx context.Context, get Get) error {
	for {
		page, err := c.List.Next(ctx, get, c.After, Options{Limit: wholePage})
		if err != nil {
			return err
		}
		if err := c.Add(page); err != nil {
			return err
		}
		if !page.More {
			return nil
		}
	}
}

// Differs describes how the copy differs from a full read, field by field, or returns "". Nothing may be changing.
func (c *Copy) Differs(ctx context.Context, get Get) (string, error) {
	all, err := c.List.All(ctx, get)
	if err != nil {
		return "", err
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if !reflect.DeepEqual(all[id], c.Records[id]) {
			return fmt.Sprintf("%s: %s: the copy has %v, a full read %v", c.List.Path, id, c.Records[id], all[id]), nil
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.Records)) {
		if _, there := all[id]; !there {
			return fmt.Sprintf("%s: %s: is in the copy alone", c.List.Path, id), nil
		}
	}
	return "", nil
}
