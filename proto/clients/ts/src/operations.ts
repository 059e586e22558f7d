/** One row of the interface: its name there, and how it is reached. */
export interface Operation {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
}

function operation(name: string, method: "GET" | "POST", path: string): Operation {
  return { name, method, path: `/open/v1${path}` };
}

/** The operations of the interface, named as in its description. */
export const operations = {
  listOrders: operation("list_orders", "GET", "/orders"),
  getOrder: operation("get_order", "GET", "/orders/{order_no}"),
  prepareOrder: operation("prepare_order", "POST", "/orders/{order_no}/preparation"),
  shipOrder: operation("ship_order", "POST", "/orders/{order_no}/shipment"),
  shipOrders: operation("ship_orders", "POST", "/orders/batch/shipment"),
  deliverOrder: operation("deliver_order", "POST", "/orders/{order_no}/delivery"),
  listClaims: operation("list_claims", "GET", "/claims"),
  getClaim: operation("get_claim", "GET", "/claims/{claim_no}"),
  approveClaim: operation("approve_claim", "POST", "/claims/{claim_no}/approve"),
  rejectClaim: operation("reject_claim", "POST", "/claims/{claim_no}/reject"),
  pickupClaim: operation("pickup_claim", "POST", "/claims/{claim_no}/pickup"),
  collectDoneClaim: operation("collect_done_claim", "POST", "/claims/{claim_no}/collect-done"),
  inspectClaim: operation("inspect_claim", "POST", "/claims/{claim_no}/inspect"),
  reshipClaim: operation("reship_claim", "POST", "/claims/{claim_no}/reship"),
  listInquiries: operation("list_inquiries", "GET", "/qna"),
  answerInquiry: operation("answer_inquiry", "POST", "/qna/{qna_id}/answer"),
} as const;

/**
 * Puts an identifier into the path. Those that would become another path, whatever stands between client and server, are
 * refused here.
 */
export function addressOf(operation: Operation, identifier?: string): string {
  return operation.path.replace(/\{(\w+)\}/, (_, name: string) => {
    if (identifier === undefined || identifier === "" || identifier === "." || identifier === "..") {
      throw new TypeError(`${operation.name}: ${name} ${JSON.stringify(identifier)} cannot exist`);
    }
    return encodeURIComponent(identifier);
  });
}
