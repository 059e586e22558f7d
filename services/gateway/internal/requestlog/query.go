package requestlog

import (
	"net/url"
	"strings"
)

// maxQuery limits the query of an entry, maxValue a value in it, and maxSent what is looked at of a query, in bytes.
const maxQuery, maxValue, maxSent = 120, 32, 1 << 10

// parameters are the query parameters that are kept: those of the contract, none of which has personal data. Cursors and
// positions are opaque, and long: of them it is kept that they were sent.
var parameters = map[string]func(string) string{
	"limit": short, "wait": short, "cursor": sent, "after": position,
	"status": short, "type": short, "order_status": short, "item_status": short, "status_changed_to": short, "order_no": number,
	"paid_at_gte": short, "paid_at_lte": short, "updated_at_gte": short, "updated_at_lte": short,
	"requested_at_gte": short, "requested_at_lte": short, "status_changed_at_gte": short, "status_changed_at_lte": short,
}

// sent stands for a value that is not kept.
func sent(string) string { return "…" }

// position keeps what a client may write itself: the beginning, or a time.
func position(value string) string {
	if len(value) > maxValue {
		return sent(value)
	}
	return short(value)
}

func number(value string) string {
	if !isNumber(value) {
		return sent(value)
	}
	return value
}

// short keeps a value of the characters of states, numbers and times.
func short(value string) string {
	foreign := strings.ContainsFunc(value, func(r rune) bool {
		return ('a' > r || r > 'z') && ('0' > r || r > '9') && !strings.ContainsRune("_-:.+,TZ", r)
	})
	if foreign || len(value) > maxValue {
		return sent(value)
	}
	return value
}

// queryOf returns what is kept of a query. The values of unknown parameters, and their names, may be anything.
func queryOf(query string) string {
	var kept strings.Builder
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		shown, known := parameters[name]
		value, err := url.QueryUnescape(value)
		switch {
		case pair == "":
			continue
		case !known || err != nil:
			name, value = sent(name), ""
		default:
			value = "=" + shown(value)
		}
		if kept.Len()+len(name)+len(value) >= maxQuery {
			return kept.String() + "&…"
		}
		if kept.Len() > 0 {
			kept.WriteByte('&')
		}
		kept.WriteString(name + value)
	}
	return kept.String()
}
