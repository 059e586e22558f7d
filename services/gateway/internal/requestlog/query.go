package requestlog

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
)

// maxQuery limits the query of an entry, and maxSent what is looked at of a query, in bytes.
const maxQuery, maxSent = 120, 1 << 10

// parameters are the query parameters that are kept: those of the contract. Of a value it is kept what the contract describes;
// anything else may be personal data. Cursors and positions are opaque, and long: of them it is kept that they were sent.
var parameters = map[string]func(string) string{
	"limit": count, "wait": count, "cursor": sent, "after": position, "order_no": number,
	"status": state, "type": state, "order_status": state, "item_status": state, "status_changed_to": state,
	"paid_at_gte": instant, "paid_at_lte": instant, "updated_at_gte": instant, "updated_at_lte": instant,
	"requested_at_gte": instant, "requested_at_lte": instant, "ship_by_lte": instant,
	"status_changed_at_gte": instant, "status_changed_at_lte": instant,
	"key": prefix, "operation": operationName, "error_code": errorCode, "record": number, "request_id": sent,
}

// sent stands for a value that is not kept.
func sent(string) string { return "…" }

// position keeps what a client may write itself: the beginning, or a time.
func position(value string) string {
	if value == paging.Start {
		return value
	}
	return instant(value)
}

func number(value string) string {
	if !isNumber(value) {
		return sent(value)
	}
	return value
}

// prefix keeps what is shown of a key anyway.
func prefix(value string) string { return matching(prefixForm, value) }

func operationName(value string) string {
	if !slices.ContainsFunc(operation.All(), func(op operation.Operation) bool { return op.Name == value }) {
		return sent(value)
	}
	return value
}

func errorCode(value string) string {
	if code, known := apierr.Lookup(value); !known || code.WireCode() == "" {
		return sent(value)
	}
	return value
}

// states are the states and types of the contract.
var states = strings.Fields(`paid preparing shipping delivered confirmed partially_claimed canceled returned exchanged
	cancel return exchange payment_pending requested approved collecting collected inspecting reshipping refund_processing
	completed rejected withdrawn expired converted_to_return waiting answered`)

// state keeps states, also several with commas, which clients try.
func state(value string) string {
	for one := range strings.SplitSeq(value, ",") {
		if !slices.Contains(states, one) {
			return sent(value)
		}
	}
	return value
}

var (
	prefixForm  = regexp.MustCompile(`^vpk_(live|test)_[0-9A-Za-z]{3}$`)
	countForm   = regexp.MustCompile(`^-?[0-9]{1,4}$`)
	instantForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$`)
)

func count(value string) string { return matching(countForm, value) }

func instant(value string) string { return matching(instantForm, value) }

func matching(form *regexp.Regexp, value string) string {
	if !form.MatchString(value) {
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
