package changes

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/structpb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/timestamp"
)

// pageBytes is the size of the records after which a page ends, so that a page of the largest records fits into a message.
const pageBytes = 8 << 20

// List is a list of the public interface as the marketplace follows it. R is a row.
type List[R any] struct {
	// Name and Cursors are those of the public list, so that both have the same positions.
	Name    string
	Cursors *paging.Signer
	// Forward returns at most limit rows of the seller in the order of the changes, after the position.
	Forward func(ctx context.Context, seller uuid.UUID, after paging.Position, limit int) (paging.ForwardPage[R], error)
	// Position returns the position after a row.
	Position func(*R) paging.Position
	// View returns a row as JSON, as an element of the public list.
	View func(*R) ([]byte, error)
}

// Request is the request of a page; ListChangesRequest of every service is one.
type Request interface {
	GetSellerId() string
	GetAfter() string
	GetLimit() int32
}

// Page is a page of a list.
type Page[R any] struct {
	Seller uuid.UUID
	Rows   []R
	// Records has the records of the rows.
	Records []*structpb.Struct
	// After is the position after the page.
	After string
	// More reports whether there was more than the page.
	More bool
}

// Read returns the page that was requested. Codes: VALIDATION_ERROR, INVALID_CURSOR, and those of Forward.
func (l *List[R]) Read(ctx context.Context, request Request) (Page[R], error) {
	var p invalid.Problems
	seller := p.UUID("seller_id", request.GetSellerId())
	limit := limitOf(&p, request.GetLimit(), paging.MaxLimit, paging.MaxLimit)
	after, err := startOf(&p, "after", request.GetAfter(), func(text string) (paging.Position, error) {
		return l.Cursors.After(seller.String(), l.Name, text, timestamp.Parse)
	})
	if err != nil {
		return Page[R]{}, err
	}
	found, err := l.Forward(ctx, seller, after, limit)
	if err != nil {
		return Page[R]{}, err
	}
	return l.render(seller, found, pageBytes)
}

// render returns the page with the records of as many rows as fit.
func (l *List[R]) render(seller uuid.UUID, found paging.ForwardPage[R], most int) (Page[R], error) {
	page := Page[R]{Seller: seller, More: found.More}
	end, size := found.End, 0
	for n := range found.Rows {
		if size > most {
			found.Rows, page.More, end = found.Rows[:n], true, l.Position(&found.Rows[n-1])
			break
		}
		record, bytes, err := l.record(&found.Rows[n])
		if err != nil {
			return Page[R]{}, err
		}
		page.Records = append(page.Records, record)
		size += bytes
	}
	page.Rows, page.After = found.Rows, l.Cursors.SignPosition(seller.String(), l.Name, end)
	return page, nil
}

// Record returns the record of a row.
func (l *List[R]) Record(row *R) (*structpb.Struct, error) {
	record, _, err := l.record(row)
	return record, err
}

func (l *List[R]) record(row *R) (*structpb.Struct, int, error) {
	view, err := l.View(row)
	if err != nil {
		return nil, 0, err
	}
	record := &structpb.Struct{}
	if err := record.UnmarshalJSON(view); err != nil {
		return nil, 0, fmt.Errorf("carry a record of the list %s: %w", l.Name, err)
	}
	return record, len(view), nil
}

// limitOf reads a limit, which may be absent.
func limitOf(p *invalid.Problems, sent int32, usual, most int) int {
	if sent == 0 {
		return usual
	}
	p.Number("limit", int64(sent), 1, int64(most))
	return int(sent)
}

// startOf reads where a page begins; absent, at the first change. The error is that of all problems, or else that of open.
func startOf(p *invalid.Problems, field, sent string, open func(string) (paging.Position, error)) (paging.Position, error) {
	if sent == "" {
		sent = paging.Start
	}
	start, err := open(sent)
	if malformed := timestamp.Problem(""); errors.As(err, &malformed) {
		p.Note(field, apierr.FieldMalformed, timestamp.Phrase(err))
	}
	if refused := p.Err(); refused != nil {
		return paging.Position{}, refused
	}
	return start, err
}
