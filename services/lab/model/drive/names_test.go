package drive

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sellerapi.dev/services/lab/model"
)

type names struct {
	tag   string
	space uuid.UUID
}

func newNames() *names {
	space := uuid.New()
	return &names{tag: strings.ToUpper(strings.ReplaceAll(space.String(), "-", "")[:16]), space: space}
}

func (n *names) order(no int) string { return fmt.Sprintf("M%s-%d", n.tag, no) }

func (n *names) claim(no int) string { return n.claims() + strconv.Itoa(no) }

func (n *names) claims() string { return "C" + n.tag + "-" }

func (n *names) uuid(form string, numbers ...any) string {
	return uuid.NewSHA1(n.space, fmt.Appendf(nil, form, numbers...)).String()
}

func (n *names) key(no int) string { return n.uuid("key %d", no) }

func (n *names) inquiry(no int) string {
	if no < -1 {
		return "inquiry"
	}
	return n.uuid("inquiry %d", no)
}

// item returns the id that is sent for an item: its own, or one that no item has.
func (n *names) item(order, item int, known *learned) string {
	if text, ok := known.item(model.ItemID{Order: order, Item: item}); ok {
		return text
	}
	switch item {
	case -2:
		return fmt.Sprintf("item-%d", order)
	case -3:
		return strings.Repeat("item-", 20) + n.order(order)
	default:
		return n.uuid("item %d %d", order, item)
	}
}

// of returns the identifier for a symbolic value of the model; ok is false for
// other values.
func (n *names) of(value any, known *learned) (string, bool) {
	switch v := value.(type) {
	case model.OrderNo:
		return n.order(int(v)), true
	case model.ClaimNo:
		return n.claim(int(v)), true
	case model.InquiryID:
		return n.inquiry(int(v)), true
	case model.CodeOf:
		return fmt.Sprintf("%s-%02d", n.order(v.Order), v.Item), true
	case model.SentItem:
		return n.item(v.Order, v.Item, known), true
	default:
		return "", false
	}
}
