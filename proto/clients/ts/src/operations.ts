// Code generated from proto/openapi/seller-open-api.yaml by go generate; DO NOT EDIT.

import type { Operation } from "./operation.js";

/** The operations of the interface, named as in its description. */
export const operations = {
  listOrders: { name: "list_orders", method: "GET", path: "/open/v1/orders" },
  getOrder: { name: "get_order", method: "GET", path: "/open/v1/orders/{order_no}" },
  getOrderHistory: { name: "get_order_history", method: "GET", path: "/open/v1/orders/{order_no}/history" },
  prepareOrder: { name: "prepare_order", method: "POST", path: "/open/v1/orders/{order_no}/preparation" },
  shipOrder: { name: "ship_order", method: "POST", path: "/open/v1/orders/{order_no}/shipment" },
  shipOrders: { name: "ship_orders", method: "POST", path: "/open/v1/orders/batch/shipment" },
  checkShipments: { name: "check_shipments", method: "POST", path: "/open/v1/orders/batch/shipment/check" },
  correctShipment: { name: "correct_shipment", method: "POST", path: "/open/v1/orders/{order_no}/shipment/correction" },
  deliverOrder: { name: "deliver_order", method: "POST", path: "/open/v1/orders/{order_no}/delivery" },
  listClaims: { name: "list_claims", method: "GET", path: "/open/v1/claims" },
  getClaim: { name: "get_claim", method: "GET", path: "/open/v1/claims/{claim_no}" },
  getClaimHistory: { name: "get_claim_history", method: "GET", path: "/open/v1/claims/{claim_no}/history" },
  approveClaim: { name: "approve_claim", method: "POST", path: "/open/v1/claims/{claim_no}/approve" },
  rejectClaim: { name: "reject_claim", method: "POST", path: "/open/v1/claims/{claim_no}/reject" },
  pickupClaim: { name: "pickup_claim", method: "POST", path: "/open/v1/claims/{claim_no}/pickup" },
  collectDoneClaim: { name: "collect_done_claim", method: "POST", path: "/open/v1/claims/{claim_no}/collect-done" },
  inspectClaim: { name: "inspect_claim", method: "POST", path: "/open/v1/claims/{claim_no}/inspect" },
  reshipClaim: { name: "reship_claim", method: "POST", path: "/open/v1/claims/{claim_no}/reship" },
  listInquiries: { name: "list_inquiries", method: "GET", path: "/open/v1/qna" },
  answerInquiry: { name: "answer_inquiry", method: "POST", path: "/open/v1/qna/{qna_id}/answer" },
  listRequests: { name: "list_requests", method: "GET", path: "/open/v1/requests" },
} as const satisfies Record<string, Operation>;
