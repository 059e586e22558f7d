package render

import (
	"slices"
	"strings"
)

// list is a list of values that has a name in the clients. Members with the same values have its type; lists without a name
// are strings in Go and inline unions in TypeScript.
type list struct {
	// Name is the name of the type, At the place of the values in the contract: a schema, or a member of one.
	Name, At string
	// Prefix is the prefix of the names of the constants.
	Prefix string
	// Is completes the comment of the type, as in "OrderStatus is …"; Are is the comment of the constants.
	Is, Are string
	// Closed reports whether the server accepts and returns no other values.
	Closed bool
	// Values are in the order of the contract.
	Values []string
}

var lists = []list{
	{
		Name: "OrderStatus", At: "OrderState", Prefix: "Order", Are: "The states of an order.",
		Is: "the overall state of an order, over the items of all sellers. Do not base work on it.",
	},
	{
		Name: "ItemStatus", At: "ItemState", Prefix: "Item",
		Is:  "the state of an item. Operators may move an item backwards: store what arrives.",
		Are: "The states of an item. Confirmed, canceled, returned and exchanged are final.",
	},
	{Name: "ClaimType", At: "Claim.type", Prefix: "Claim", Is: "what a customer asks for.", Are: "The types of claims."},
	{
		Name: "ClaimStatus", At: "ClaimState", Prefix: "Claim", Is: "the state of a claim.",
		Are: "The states of a claim. Completed, rejected, withdrawn, expired and converted_to_return are final.",
	},
	{
		Name: "ClaimAction", At: "ClaimAction", Prefix: "Action", Are: "The actions on claims.",
		Is: "what a seller can do with a claim: the last part of the path of an action.",
	},
	{
		Name: "ChangedBy", At: "ChangedBy", Prefix: "By", Is: "who caused an event of a history.",
		Are: "Who causes events.",
	},
	{Name: "Fault", At: "Claim.fault", Prefix: "Fault", Is: "who bears the shipping fee of a claim.", Are: "Who bears the fee."},
	{Name: "ReasonCode", At: "Claim.reason_code", Prefix: "Reason", Is: "why the customer asks.", Are: "The reasons of claims."},
	{
		Name: "InspectResult", At: "Claim.inspect_result", Prefix: "Inspect", Is: "the result of an inspection.",
		Are: "The results of an inspection.",
	},
	{
		Name: "InquiryStatus", At: "InquiryState", Prefix: "InquiryStatus", Is: "the state of an inquiry.",
		Are: "The states of an inquiry.",
	},
	{
		Name: "InquiryCategory", At: "Inquiry.category", Prefix: "Category",
		Is: "what an inquiry is about. The marketplace adds categories without notice.", Are: "The categories of today.",
	},
	{
		Name: "IdempotencyOutcome", At: "LoggedRequest.idempotency", Prefix: "Idempotency",
		Is: "what a call met with its idempotency key.", Are: "What a call meets with its idempotency key.",
	},
	{
		Name: "Carrier", At: "CarrierName", Prefix: "Carrier", Closed: true,
		Is: "the name of a carrier, exactly as the server spells it.", Are: "The allowed carriers.",
	},
}

// carriers are the names of constants whose values are not identifiers.
var carriers = map[string]string{
	"CJ대한통운": "CJ", "우체국택배": "Post", "한진택배": "Hanjin", "롯데택배": "Lotte", "로젠택배": "Logen",
}

// Exceptions of Go to the contract.
var (
	// goTypes are members with a type that the contract does not specify.
	goTypes = map[string]string{
		"ShippedItem.carrier_name": "Carrier", "FailedEntry.error_code": "Code", "LoggedRequest.error_code": "Code",
	}
	// zeroIsAbsent are schemas and members that are the zero value when absent, instead of nil: which details a refusal has
	// depends on its code, which an event has on its kind, and no memo is an empty one.
	zeroIsAbsent = []string{
		"ErrorData", "ItemProblem", "InspectRequest.memo", "OrderEvent", "ClaimEvent",
		"LoggedErrorData",
	}
)

// initialisms are words with a special spelling in Go names.
var initialisms = map[string]string{
	"api": "API", "id": "ID", "ids": "IDs", "qna": "QnA", "uri": "URI", "url": "URL", "urls": "URLs",
}

// goName converts tracking_no to TrackingNo, collect-done to CollectDone, API_KEY_REQUIRED to APIKeyRequired.
func goName(name string) string {
	if word, known := carriers[name]; known {
		return word
	}
	var all strings.Builder
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' }) {
		if special, known := initialisms[word]; known {
			all.WriteString(special)
			continue
		}
		all.WriteString(upper(word))
	}
	return all.String()
}

// upperCase converts list_orders to LIST_ORDERS, the constant of an operation in Python.
func upperCase(operation string) string { return strings.ToUpper(operation) }

// methodName converts list_orders to listOrders, the method in TypeScript and the variable of an operation in Go.
func methodName(operation string) string {
	return lower(strings.ReplaceAll(goName(operation), "QnA", "Qna"))
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// lower lowers the first letter, except for names that begin in capitals.
func lower(text string) string {
	if len(text) > 1 && strings.ToUpper(text[:2]) == text[:2] && text[1] != ' ' && text[1] != '`' {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// remark returns a description as one line, without the mark of an addition, which users of a client need not know.
func remark(description string) string {
	text := strings.Join(strings.Fields(description), " ")
	for _, mark := range []string{"Addition: ", "Addition, "} {
		if rest, marked := strings.CutPrefix(text, mark); marked && rest != "" {
			return upper(rest)
		}
	}
	return text
}

func comment(prefix, text string) string { return wrap(prefix+" ", text, 120) }

func wrap(indent, text string, most int) string {
	var all strings.Builder
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len([]rune(line))+len([]rune(word)) > most && line != indent {
			all.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line += word + " "
	}
	return all.String() + strings.TrimRight(line, " ")
}

func sameValues(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(value string) bool { return !slices.Contains(b, value) })
}
