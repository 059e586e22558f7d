package sellerapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// operation is one row of the interface: its name there, and how it is reached.
type operation struct{ name, method, path string }

// The operations of the interface, named as in its description.
var (
	listOrders       = operation{"list_orders", http.MethodGet, "/open/v1/orders"}
	getOrder         = operation{"get_order", http.MethodGet, "/open/v1/orders/{order_no}"}
	prepareOrder     = operation{"prepare_order", http.MethodPost, "/open/v1/orders/{order_no}/preparation"}
	shipOrder        = operation{"ship_order", http.MethodPost, "/open/v1/orders/{order_no}/shipment"}
	shipOrders       = operation{"ship_orders", http.MethodPost, "/open/v1/orders/batch/shipment"}
	deliverOrder     = operation{"deliver_order", http.MethodPost, "/open/v1/orders/{order_no}/delivery"}
	listClaims       = operation{"list_claims", http.MethodGet, "/open/v1/claims"}
	getClaim         = operation{"get_claim", http.MethodGet, "/open/v1/claims/{claim_no}"}
	approveClaim     = operation{"approve_claim", http.MethodPost, "/open/v1/claims/{claim_no}/approve"}
	rejectClaim      = operation{"reject_claim", http.MethodPost, "/open/v1/claims/{claim_no}/reject"}
	pickupClaim      = operation{"pickup_claim", http.MethodPost, "/open/v1/claims/{claim_no}/pickup"}
	collectDoneClaim = operation{"collect_done_claim", http.MethodPost, "/open/v1/claims/{claim_no}/collect-done"}
	inspectClaim     = operation{"inspect_claim", http.MethodPost, "/open/v1/claims/{claim_no}/inspect"}
	reshipClaim      = operation{"reship_claim", http.MethodPost, "/open/v1/claims/{claim_no}/reship"}
	listInquiries    = operation{"list_inquiries", http.MethodGet, "/open/v1/qna"}
	answerInquiry    = operation{"answer_inquiry", http.MethodPost, "/open/v1/qna/{qna_id}/answer"}
)

// address puts an identifier into the path. Those that would become another path, whatever stands between client and
// server, are refused here.
func (o operation) address(identifier string) (string, error) {
	before, rest, hasParameter := strings.Cut(o.path, "{")
	if !hasParameter {
		return o.path, nil
	}
	name, after, _ := strings.Cut(rest, "}")
	if identifier == "" || identifier == "." || identifier == ".." {
		return "", fmt.Errorf("%s: %s %q cannot exist", o.name, name, identifier)
	}
	return before + url.PathEscape(identifier) + after, nil
}
