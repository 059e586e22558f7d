# Code generated from proto/openapi/seller-open-api.yaml by go generate; DO NOT EDIT.
"""The operations of the interface, named as in its description."""

from .operation import Operation

LIST_ORDERS = Operation("list_orders", "GET", "/open/v1/orders")
GET_ORDER = Operation("get_order", "GET", "/open/v1/orders/{order_no}")
GET_ORDER_HISTORY = Operation("get_order_history", "GET", "/open/v1/orders/{order_no}/history")
PREPARE_ORDER = Operation("prepare_order", "POST", "/open/v1/orders/{order_no}/preparation")
SHIP_ORDER = Operation("ship_order", "POST", "/open/v1/orders/{order_no}/shipment")
SHIP_ORDERS = Operation("ship_orders", "POST", "/open/v1/orders/batch/shipment")
CHECK_SHIPMENTS = Operation("check_shipments", "POST", "/open/v1/orders/batch/shipment/check")
CORRECT_SHIPMENT = Operation("correct_shipment", "POST", "/open/v1/orders/{order_no}/shipment/correction")
DELIVER_ORDER = Operation("deliver_order", "POST", "/open/v1/orders/{order_no}/delivery")
LIST_CLAIMS = Operation("list_claims", "GET", "/open/v1/claims")
GET_CLAIM = Operation("get_claim", "GET", "/open/v1/claims/{claim_no}")
GET_CLAIM_HISTORY = Operation("get_claim_history", "GET", "/open/v1/claims/{claim_no}/history")
APPROVE_CLAIM = Operation("approve_claim", "POST", "/open/v1/claims/{claim_no}/approve")
REJECT_CLAIM = Operation("reject_claim", "POST", "/open/v1/claims/{claim_no}/reject")
PICKUP_CLAIM = Operation("pickup_claim", "POST", "/open/v1/claims/{claim_no}/pickup")
COLLECT_DONE_CLAIM = Operation("collect_done_claim", "POST", "/open/v1/claims/{claim_no}/collect-done")
INSPECT_CLAIM = Operation("inspect_claim", "POST", "/open/v1/claims/{claim_no}/inspect")
RESHIP_CLAIM = Operation("reship_claim", "POST", "/open/v1/claims/{claim_no}/reship")
LIST_INQUIRIES = Operation("list_inquiries", "GET", "/open/v1/qna")
ANSWER_INQUIRY = Operation("answer_inquiry", "POST", "/open/v1/qna/{qna_id}/answer")
LIST_REQUESTS = Operation("list_requests", "GET", "/open/v1/requests")
