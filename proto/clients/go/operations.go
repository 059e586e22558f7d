// Code generated from proto/openapi/seller-open-api.yaml by go generate; DO NOT EDIT.

package sellerapi

import "net/http"

// The operations of the interface, named as in its description.
var (
	listOrders       = operation{"list_orders", http.MethodGet, "/open/v1/orders"}
	getOrder         = operation{"get_order", http.MethodGet, "/open/v1/orders/{order_no}"}
	getOrderHistory  = operation{"get_order_history", http.MethodGet, "/open/v1/orders/{order_no}/history"}
	prepareOrder     = operation{"prepare_order", http.MethodPost, "/open/v1/orders/{order_no}/preparation"}
	shipOrder        = operation{"ship_order", http.MethodPost, "/open/v1/orders/{order_no}/shipment"}
	shipOrders       = operation{"ship_orders", http.MethodPost, "/open/v1/orders/batch/shipment"}
	checkShipments   = operation{"check_shipments", http.MethodPost, "/open/v1/orders/batch/shipment/check"}
	correctShipment  = operation{"correct_shipment", http.MethodPost, "/open/v1/orders/{order_no}/shipment/correction"}
	deliverOrder     = operation{"deliver_order", http.MethodPost, "/open/v1/orders/{order_no}/delivery"}
	listClaims       = operation{"list_claims", http.MethodGet, "/open/v1/claims"}
	getClaim         = operation{"get_claim", http.MethodGet, "/open/v1/claims/{claim_no}"}
	getClaimHistory  = operation{"get_claim_history", http.MethodGet, "/open/v1/claims/{claim_no}/history"}
	approveClaim     = operation{"approve_claim", http.MethodPost, "/open/v1/claims/{claim_no}/approve"}
	rejectClaim      = operation{"reject_claim", http.MethodPost, "/open/v1/claims/{claim_no}/reject"}
	pickupClaim      = operation{"pickup_claim", http.MethodPost, "/open/v1/claims/{claim_no}/pickup"}
	collectDoneClaim = operation{"collect_done_claim", http.MethodPost, "/open/v1/claims/{claim_no}/collect-done"}
	inspectClaim     = operation{"inspect_claim", http.MethodPost, "/open/v1/claims/{claim_no}/inspect"}
	reshipClaim      = operation{"reship_claim", http.MethodPost, "/open/v1/claims/{claim_no}/reship"}
	listInquiries    = operation{"list_inquiries", http.MethodGet, "/open/v1/qna"}
	answerInquiry    = operation{"answer_inquiry", http.MethodPost, "/open/v1/qna/{qna_id}/answer"}
	listRequests     = operation{"list_requests", http.MethodGet, "/open/v1/requests"}
)
