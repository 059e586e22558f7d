package operation

import "sellerapi.dev/pkg/principal"

// SandboxBase is the prefix of every path of the sandbox.
const SandboxBase = "/sandbox/v1"

// The names of the operations of the sandbox, as those of the public ones.
const (
	SandboxPlaceOrder       = "sandbox_place_order"
	SandboxEndPayment       = "sandbox_end_payment"
	SandboxConfirm          = "sandbox_confirm_purchase"
	SandboxCorrect          = "sandbox_correct_items"
	SandboxShipBy           = "sandbox_set_ship_by"
	SandboxForgetMember     = "sandbox_withdraw_member"
	SandboxRequestClaim     = "sandbox_request_claim"
	SandboxPayShortfall     = "sandbox_pay_shortfall"
	SandboxWithdrawClaim    = "sandbox_withdraw_claim"
	SandboxConvertClaim     = "sandbox_convert_claim"
	SandboxHoldInspection   = "sandbox_hold_inspection"
	SandboxFreezeClaim      = "sandbox_freeze_claim"
	SandboxUnfreezeClaim    = "sandbox_unfreeze_claim"
	SandboxAct              = "sandbox_act_as_operator"
	SandboxRecordRefund     = "sandbox_record_refund"
	SandboxRetryRefund      = "sandbox_retry_refund"
	SandboxCancelReshipment = "sandbox_cancel_reshipment"
	SandboxAsk              = "sandbox_post_inquiry"
	SandboxCancelAnswer     = "sandbox_cancel_answer"
)

var sandbox = func() []Operation {
	const orders, order = SandboxBase + "/orders", SandboxBase + "/orders/:order_no"
	const claim, inquiries = SandboxBase + "/claims/:claim_no", SandboxBase + "/qna"
	return []Operation{
		played(SandboxPlaceOrder, orders),
		played(SandboxEndPayment, order+"/payment"),
		played(SandboxConfirm, order+"/confirmation"),
		played(SandboxCorrect, order+"/correction"),
		played(SandboxShipBy, order+"/ship-by"),
		played(SandboxForgetMember, order+"/member-withdrawal"),
		played(SandboxRequestClaim, order+"/claims"),
		played(SandboxPayShortfall, claim+"/shortfall-payment"),
		played(SandboxWithdrawClaim, claim+"/withdrawal"),
		played(SandboxConvertClaim, claim+"/conversion"),
		played(SandboxHoldInspection, claim+"/inspection-hold"),
		played(SandboxFreezeClaim, claim+"/freeze"),
		played(SandboxUnfreezeClaim, claim+"/unfreeze"),
		played(SandboxAct, claim+"/action"),
		played(SandboxRecordRefund, claim+"/refund"),
		played(SandboxRetryRefund, claim+"/refund-retry"),
		played(SandboxCancelReshipment, claim+"/reshipment-cancellation"),
		played(SandboxAsk, inquiries),
		played(SandboxCancelAnswer, inquiries+"/:qna_id/answer-cancellation"),
	}
}()

// played returns the row of an operation of the sandbox: a process call that needs no Idempotency-Key, so that it is one line for
// a person. A repeated call is made again.
func played(name, path string) Operation {
	op := process(name, path, Sandbox)
	op.Scope, op.Unkeyed = principal.Sandbox, true
	return op
}
