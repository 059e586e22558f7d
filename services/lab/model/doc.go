// Package model is the whole system as the specification of the interface describes it: orders, lines, claims, refunds,
// points and inquiries of one seller, and what sellers, customers, operators and the payment provider do to them. It
// imports nothing from the services, so that it states the rules a second time instead of copying them.
//
// # How it is used
//
// [Model.Apply] applies one operation and returns the expected reply; the views return what every record must look like.
// Ids and times, which the system chooses, are symbols ([ItemID], [At]) that the driver in package drive learns and
// compares. [Model.Play] applies the operations of a round in one order, for a driver that searches for an order in which
// all answers match. [Generator] generates operations, [Shrink] removes those that a failure does not need.
//
// # What is atomic
//
// An operation is one step, except for those that take several steps in the orders service or at the payment provider:
// concurrent operations may see a claim in refund_processing, or reshipping with its parcel, before it is completed (a slow
// round), an exchange in inspecting that was reshipping before it is converted, and its exchange line closed before it is
// canceled.
//
// # Where the specification leaves a choice
//
//   - Fees are deducted from the goods of a refund, from their money first; shipping is refunded as it was paid. Therefore
//     it makes no difference which of several claims refunds the shipping.
//   - The points of cheaper goods that an exchange does not refund pay for dearer goods of the same exchange.
//   - An exchange line costs what its option costs. No more is refunded than was paid; what a discount exceeds the price of an
//     option by is lost for the exchanges that follow.
//   - The return in the place of an exchange charges the fee of one way that the exchange was quoted, at most what it can deduct;
//     the exchange then shows none.
//   - A line cannot be corrected once its claim's refund, or its exchange, is decided.
package model
