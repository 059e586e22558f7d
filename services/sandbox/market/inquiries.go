package market

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
)

const askBatch = 1000

// askEvery is the time between two inquiries of a first fill.
const askEvery = 97 * time.Minute

// question is what customers ask, with {product} and {option} as placeholders for its subject.
type question struct{ category, text string }

func (t *tables) addQuestion(cells []string) error {
	weight, err := strconv.Atoi(cells[1])
	if err != nil {
		return err
	}
	t.questions.add(question{cells[0], cells[2]}, weight)
	return nil
}

// Ask posts n inquiries about the sellers' products, the newest a little before the plan's base. Asking again with the
// same plan adds nothing.
func (m *Market) Ask(ctx context.Context, client qnav1connect.IntakeClient, n int) error {
	batch := make([]*qnav1.Inquiry, 0, min(n, askBatch))
	for number := range n {
		at := m.plan.Base.Add(-time.Duration(n-number) * askEvery)
		batch = append(batch, m.Inquiry(number, at))
		if len(batch) == askBatch || number == n-1 {
			if err := m.post(ctx, client, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return nil
}

func (m *Market) post(ctx context.Context, client qnav1connect.IntakeClient, inquiries []*qnav1.Inquiry) error {
	_, err := client.PostInquiries(ctx, &qnav1.PostInquiriesRequest{Inquiries: inquiries})
	if err != nil {
		return fmt.Errorf("post inquiries: %w", err)
	}
	return nil
}

// Inquiry generates the inquiry of this number, asked at the given time. One inquiry in five is secret.
func (m *Market) Inquiry(number int, at time.Time) *qnav1.Inquiry {
	d := newDraw(m.plan.Seed, "inquiry", number)
	seller := pick(d, m.sellers)
	about, asked := one(d, m.shops[seller].products), pick(d, m.tables.questions)
	text := strings.NewReplacer("{product}", about.name, "{option}", about.of.option(d)).Replace(asked.text)
	return &qnav1.Inquiry{
		QnaId: d.uuid(at).String(), SellerId: m.plan.Sellers[seller].ID, ProductId: about.id, ProductName: about.name,
		Category: asked.category, Body: text, IsSecret: d.IntN(5) == 0,
		MemberDisplayName: pick(d, m.tables.surnames) + "**", ImageUrls: pictures(d),
		CreatedAt: timestamppb.New(at),
	}
}

// pictures returns the image addresses of an inquiry; one customer in four attaches images.
func pictures(d draw) []string {
	if d.IntN(4) != 0 {
		return nil
	}
	addresses := make([]string, 1+d.IntN(3))
	for i := range addresses {
		addresses[i] = "https://images.example.com/qna/" + d.pattern("@#######") + ".jpg"
	}
	return addresses
}
