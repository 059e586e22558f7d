package cli

import (
	"fmt"
	"regexp"
	"slices"

	sellerapi "sellerapi.dev/proto/clients/go"
)

var onlyDigits = regexp.MustCompile(`^\d+$`)

func (g *grid) unread(named heading, row gridRow) map[string]string {
	places, read := map[string]string{}, slices.Concat(named.columns...)
	for at := range row.cells {
		if text := row.text(at); text != "" && !slices.Contains(read, at) {
			places[text] = g.place(named, row, at)
		}
	}
	return places
}

// unreadCarrier returns what is wrong with a row that names its carrier in a column that is not read; "" if none does. Digits may
// be anything.
func (p *parcel) unreadCarrier() string {
	for text, place := range p.unread {
		if _, wrong := readCarrier(text); wrong == "" && !onlyDigits.MatchString(text) {
			return fmt.Sprintf("%s: %q is a carrier, and the column is not read: name it carrier (택배사)", place, text)
		}
	}
	return ""
}

// checkUnread refuses a row that would be the whole of its order but names an item in a column that is not read.
func (p *parcel) checkUnread(order *sellerapi.Order) {
	if order == nil || len(order.Items) < 2 || p.itemID != "" || p.wrong != "" {
		return
	}
	for i := range order.Items {
		for _, text := range []string{order.Items[i].ItemCode, order.Items[i].ItemID} {
			if place := p.unread[text]; place != "" {
				p.wrong = fmt.Sprintf("%s: %q is an item, and the column is not read: name it item_id (상품주문번호)", place, text)
			}
		}
	}
}
