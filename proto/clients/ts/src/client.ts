import type {
  AnswerRequest, BatchShipmentRequest, BatchShipmentResult, Claim, ClaimFilter, ClaimHistory, ClaimList, DeliveryResult, Inquiry,
  InquiryAnswered, InquiryFilter, InquiryList, InspectRequest, ItemsRequest, LoggedRequest, LoggedRequestFilter,
  LoggedRequestList, Order, OrderFilter, OrderHistory, OrderList, ParcelRequest, PreparationResult, RejectRequest, ShipmentRequest, ShipmentResult,
} from "./contract.js";
import { hasCode } from "./errors.js";
import type { Operation } from "./operation.js";
import { operations } from "./operations.js";
import * as reached from "./reached.js";
import { Sync, type SyncOptions, type SyncStore } from "./sync.js";
import { Transport, type CallOptions, type ClientOptions, type ProcessOptions } from "./transport.js";
import type { Page } from "./values.js";

/** Reads the resource, and returns its value if it is in the wanted state, otherwise undefined. */
type Reached<T> = () => Promise<T | undefined>;

/**
 * Calls the API as one seller: a method for each operation, named after it. Failures are a `SellerApiError` or an
 * `UnansweredError`.
 */
export class Client {
  readonly #transport: Transport;

  /** Takes a base address, such as `https://open-api.example.com`, and a key of that environment. */
  constructor(baseUrl: string, apiKey: string, options: ClientOptions = {}) {
    this.#transport = new Transport(baseUrl, apiKey, options);
  }

  /** Reads one page of orders, latest change first. `orders` reads all pages. */
  listOrders(filter: OrderFilter = {}, options: CallOptions = {}): Promise<OrderList> {
    return this.#read(operations.listOrders, undefined, options, filter);
  }

  /** Iterates over all orders that match the filter, latest change first. After `INVALID_CURSOR` start again. */
  orders(filter: OrderFilter = {}, options: CallOptions = {}): AsyncGenerator<Order, void, undefined> {
    return walk((cursor) => this.listOrders({ ...filter, ...cursor }, options));
  }

  /** Reads one order. */
  getOrder(orderNo: string, options: CallOptions = {}): Promise<Order> {
    return this.#read(operations.getOrder, orderNo, options);
  }

  /** Reads what happened to the items of one order, and who caused it. */
  getOrderHistory(orderNo: string, options: CallOptions = {}): Promise<OrderHistory> {
    return this.#read(operations.getOrderHistory, orderNo, options);
  }

  /** Moves items from paid to preparing, all of them or none. */
  prepareOrder(orderNo: string, request: ItemsRequest, options: ProcessOptions = {}): Promise<PreparationResult> {
    const there = async () => reached.prepared(await this.getOrder(orderNo, forReading(options)), request);
    return this.#process(operations.prepareOrder, orderNo, request, options, there);
  }

  /**
   * Moves items from paid or preparing to shipping in one parcel, all of them or none. A shipment cannot be corrected;
   * a different one fails with `SHIPMENT_STATE_CONFLICT`.
   */
  shipOrder(orderNo: string, request: ShipmentRequest, options: ProcessOptions = {}): Promise<ShipmentResult> {
    const there = async () => reached.shipped(await this.getOrder(orderNo, forReading(options)), request);
    return this.#process(operations.shipOrder, orderNo, request, options, there);
  }

  /**
   * Registers up to 500 parcels, each independently. Also succeeds if parcels fail: check `failed`. Send the failed
   * parcels again in a new call.
   */
  shipOrders(request: BatchShipmentRequest, options: ProcessOptions = {}): Promise<BatchShipmentResult> {
    return this.#process(operations.shipOrders, undefined, request, options);
  }

  /**
   * Returns what `shipOrders` would return now, and ships nothing. An installation without this operation answers with
   * status 404 and no code.
   */
  checkShipments(request: BatchShipmentRequest, options: ProcessOptions = {}): Promise<BatchShipmentResult> {
    return this.#process(operations.checkShipments, undefined, request, options);
  }

  /**
   * Puts items in shipping into another parcel, all of them or none. An installation without this operation, and one
   * where the marketplace has not enabled it for the seller, answers with status 404 and no code.
   */
  correctShipment(orderNo: string, request: ShipmentRequest, options: ProcessOptions = {}): Promise<ShipmentResult> {
    const there = async () => reached.shipped(await this.getOrder(orderNo, forReading(options)), request);
    return this.#process(operations.correctShipment, orderNo, request, options, there);
  }

  /** Moves items from shipping to delivered, all of them or none. */
  deliverOrder(orderNo: string, request: ItemsRequest, options: ProcessOptions = {}): Promise<DeliveryResult> {
    const there = async () => reached.delivered(await this.getOrder(orderNo, forReading(options)), request);
    return this.#process(operations.deliverOrder, orderNo, request, options, there);
  }

  /** Reads one page of claims, latest change first. `claims` reads all pages. */
  listClaims(filter: ClaimFilter = {}, options: CallOptions = {}): Promise<ClaimList> {
    return this.#read(operations.listClaims, undefined, options, filter);
  }

  /** Iterates over all claims that match the filter, latest change first. After `INVALID_CURSOR` start again. */
  claims(filter: ClaimFilter = {}, options: CallOptions = {}): AsyncGenerator<Claim, void, undefined> {
    return walk((cursor) => this.listClaims({ ...filter, ...cursor }, options));
  }

  /** Reads one claim. */
  getClaim(claimNo: string, options: CallOptions = {}): Promise<Claim> {
    return this.#read(operations.getClaim, claimNo, options);
  }

  /** Reads what happened to one claim, and who caused it. */
  getClaimHistory(claimNo: string, options: CallOptions = {}): Promise<ClaimHistory> {
    return this.#read(operations.getClaimHistory, claimNo, options);
  }

  /** Approves a claim that is requested. A cancel is refunded now; a return or an exchange waits for its pickup. */
  approveClaim(claimNo: string, options: ProcessOptions = {}): Promise<Claim> {
    return this.#act(operations.approveClaim, claimNo, undefined, options, reached.wasApproved);
  }

  /** Rejects a claim that is requested or, for returns and exchanges, inspecting. */
  rejectClaim(claimNo: string, request: RejectRequest, options: ProcessOptions = {}): Promise<Claim> {
    return this.#act(operations.rejectClaim, claimNo, request, options, reached.wasRejected);
  }

  /** Registers the parcel by which the goods come back. */
  pickupClaim(claimNo: string, request: ParcelRequest, options: ProcessOptions = {}): Promise<Claim> {
    const done = (claim: Claim) => reached.isParcel(request, claim.collect_carrier_name, claim.collect_tracking_no);
    return this.#act(operations.pickupClaim, claimNo, request, options, done);
  }

  /** Registers that the goods have come back. */
  collectDoneClaim(claimNo: string, options: ProcessOptions = {}): Promise<Claim> {
    return this.#act(operations.collectDoneClaim, claimNo, undefined, options, reached.wasCollected);
  }

  /** Registers the result of the inspection. `fail` needs a memo. */
  inspectClaim(claimNo: string, request: InspectRequest, options: ProcessOptions = {}): Promise<Claim> {
    return this.#act(operations.inspectClaim, claimNo, request, options, (claim) => claim.inspect_result === request.result);
  }

  /**
   * Registers the parcel with the exchanged goods. After `EXCHANGE_ITEM_SHIP_FAILED` read the claim and call again with
   * the same values.
   */
  reshipClaim(claimNo: string, request: ParcelRequest, options: ProcessOptions = {}): Promise<Claim> {
    const done = (claim: Claim) =>
      claim.status === "completed" && reached.isParcel(request, claim.reship_carrier_name, claim.reship_tracking_no);
    return this.#act(operations.reshipClaim, claimNo, request, options, done);
  }

  /** Reads one page of product inquiries, latest change first. `inquiries` reads all pages. */
  listInquiries(filter: InquiryFilter = {}, options: CallOptions = {}): Promise<InquiryList> {
    return this.#read(operations.listInquiries, undefined, options, filter);
  }

  /** Iterates over all inquiries that match the filter, latest change first. After `INVALID_CURSOR` start again. */
  inquiries(filter: InquiryFilter = {}, options: CallOptions = {}): AsyncGenerator<Inquiry, void, undefined> {
    return walk((cursor) => this.listInquiries({ ...filter, ...cursor }, options));
  }

  /**
   * Answers an inquiry. An answer cannot be changed: the same content again succeeds with `converged`, other content
   * fails with `QNA_ALREADY_ANSWERED`.
   */
  answerInquiry(qnaId: string, request: AnswerRequest, options: ProcessOptions = {}): Promise<InquiryAnswered> {
    return this.#process(operations.answerInquiry, qnaId, request, options);
  }

  /**
   * Reads one page of the seller's calls, latest first. `requests` reads all pages. A page may have fewer calls than the
   * limit, or none, and be followed by another.
   */
  listRequests(filter: LoggedRequestFilter = {}, options: CallOptions = {}): Promise<LoggedRequestList> {
    return this.#read(operations.listRequests, undefined, options, filter);
  }

  /** Iterates over all calls that match the filter, latest first. After `INVALID_CURSOR` start again. */
  requests(filter: LoggedRequestFilter = {}, options: CallOptions = {}): AsyncGenerator<LoggedRequest, void, undefined> {
    return walk((cursor) => this.listRequests({ ...filter, ...cursor }, options));
  }

  /** Keeps a copy of the orders. */
  syncOrders(store: SyncStore<Order>, options: SyncOptions = {}): Sync<Order> {
    return new Sync((filter, call) => this.listOrders(filter, call), store, this.#transport, options);
  }

  /** Keeps a copy of the claims. */
  syncClaims(store: SyncStore<Claim>, options: SyncOptions = {}): Sync<Claim> {
    return new Sync((filter, call) => this.listClaims(filter, call), store, this.#transport, options);
  }

  /** Keeps a copy of the product inquiries. */
  syncInquiries(store: SyncStore<Inquiry>, options: SyncOptions = {}): Sync<Inquiry> {
    return new Sync((filter, call) => this.listInquiries(filter, call), store, this.#transport, options);
  }

  /** Performs a read call from start to finish. */
  async #read<T>(operation: Operation, identifier: string | undefined, options: CallOptions, filter?: object): Promise<T> {
    return this.#transport.send<T>({ operation, key: "", options, ...(identifier !== undefined && { identifier }), ...(filter && { filter }) });
  }

  /** Performs a process call from start to finish. Without `there`, reading cannot tell the outcome of an expired key. */
  async #process<T>(
    operation: Operation, identifier: string | undefined, body: unknown, options: ProcessOptions, there?: Reached<T>,
  ): Promise<T> {
    const call = { operation, body, options, ...(identifier !== undefined && { identifier }) };
    try {
      return await this.#transport.send<T>({ ...call, key: options.idempotencyKey ?? this.#transport.newKey() });
    } catch (error) {
      if (!options.recoverExpired || !hasCode(error, "IDEMPOTENCY_RESULT_EXPIRED")) throw error;
      return (await there?.()) ?? (await this.#transport.send<T>({ ...call, key: this.#transport.newKey() }));
    }
  }

  /** Performs an action on a claim from start to finish; `done` reports whether the claim shows that it was performed. */
  #act(operation: Operation, claimNo: string, body: unknown, options: ProcessOptions, done: (claim: Claim) => boolean): Promise<Claim> {
    return this.#process(operation, claimNo, body, options, async () => {
      const claim = await this.getClaim(claimNo, forReading(options));
      return done(claim) ? claim : undefined;
    });
  }
}

/** The options of a process call that a read within it inherits. */
function forReading({ signal }: ProcessOptions): CallOptions {
  return signal ? { signal } : {};
}

/** Yields the elements of all pages. A list that is read forwards goes on at a position, any other at a cursor. */
async function* walk<T>(read: (at: { cursor?: string; after?: string }) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  for (let page = await read({}); ; page = await read(page.after === undefined ? { cursor: page.next_cursor } : { after: page.after })) {
    yield* page.list;
    if (page.next_cursor === null) return;
  }
}
