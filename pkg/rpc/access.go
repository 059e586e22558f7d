package rpc

//go:generate go test -run TestAccess/document -update .

import (
	"maps"
	"slices"
	"strings"
)

// The callers that tokens are made for. A name stands for what its bearer does, not for the bearer: several people share
// operator, and the calls that they may make name the person in the message.
const (
	// CallerMarketplace is the marketplace core: it brings orders, claims and inquiries in and administers keys. A system of it
	// that does a part of that has a token of the caller below that is no more than the part.
	CallerMarketplace = "marketplace"
	// CallerStorefront is where customers buy, ask, request claims and confirm.
	CallerStorefront = "storefront"
	// CallerConsole is the partner console, in which sellers administer their keys: the service console, or that of the marketplace.
	CallerConsole = "console"
	// CallerOperator is a person who corrects errors.
	CallerOperator = "operator"
	// CallerPayments is the payment system, which reports on payments and refunds.
	CallerPayments = "payments"
	// CallerClaims is the claims service.
	CallerClaims = "claims"
	// CallerGateway is the gateway, which holds calls until something of their seller has changed.
	CallerGateway = "gateway"
	// CallerSandbox is the sandbox of a test environment, in which developers play the customers, operators and payments of the
	// sellers whose keys they have. It has no access to anything that another party than those may do.
	CallerSandbox = "sandbox"
	// CallerLoad is the load generator, which makes its own sellers, keys and orders.
	CallerLoad = "load"
)

// callers describes every caller, in the order of the columns of ACCESS.md.
var callers = []struct{ name, purpose string }{
	{CallerMarketplace, "the marketplace core"},
	{CallerStorefront, "the storefront, on behalf of customers"},
	{CallerConsole, "the partner console; the service console signs its own tokens"},
	{CallerOperator, "a person who corrects errors; the request contains the name"},
	{CallerPayments, "the payment system"},
	{CallerClaims, "the claims service; it signs its own tokens"},
	{CallerGateway, "the gateway; it signs its own tokens"},
	{CallerSandbox, "the sandbox of a test environment, for one seller with each call; it signs its own tokens"},
	{CallerLoad, "the load generator of the cluster test"},
}

// accessTable lists, for each procedure, the callers that may call it. A procedure without a row is refused to every caller.
type accessTable map[string][]string

// access is the access table. It is rendered as ACCESS.md.
var access = accessTable{
	"/orders.v1.Intake/PlaceOrders":     {CallerMarketplace, CallerStorefront, CallerLoad, CallerSandbox},
	"/orders.v1.Intake/RecordPayment":   {CallerMarketplace, CallerPayments, CallerSandbox},
	"/orders.v1.Intake/ConfirmPurchase": {CallerMarketplace, CallerStorefront, CallerOperator, CallerSandbox},
	"/orders.v1.Intake/CorrectItem":     {CallerMarketplace, CallerOperator, CallerSandbox},
	"/orders.v1.Intake/SetShipBy":       {CallerMarketplace, CallerSandbox},
	"/orders.v1.Intake/SetSellerPolicy": {CallerMarketplace},
	"/orders.v1.Intake/ForgetMember":    {CallerMarketplace, CallerSandbox},

	"/orders.v1.ClaimLines/Open":             {CallerClaims},
	"/orders.v1.ClaimLines/Release":          {CallerClaims},
	"/orders.v1.ClaimLines/Settle":           {CallerClaims},
	"/orders.v1.ClaimLines/Seal":             {CallerClaims},
	"/orders.v1.ClaimLines/AddExchangeLine":  {CallerClaims},
	"/orders.v1.ClaimLines/ShipExchangeLine": {CallerClaims},
	"/orders.v1.ClaimLines/CancelReshipment": {CallerClaims},
	"/orders.v1.ClaimLines/Freeze":           {CallerClaims},
	"/orders.v1.ClaimLines/Convert":          {CallerClaims},
	"/orders.v1.ClaimLines/Touch":            {CallerClaims},

	"/orders.v1.Clocks/Last": {CallerGateway},
	"/claims.v1.Clocks/Last": {CallerGateway},
	"/qna.v1.Clocks/Last":    {CallerGateway},

	// Served in a test environment only.
	"/orders.v1.Clock/Advance": {CallerSandbox},
	"/orders.v1.Clock/RunDue":  {CallerSandbox},
	"/claims.v1.Clock/Advance": {CallerSandbox},
	"/claims.v1.Clock/RunDue":  {CallerSandbox},
	"/qna.v1.Clock/Advance":    {CallerSandbox},
	"/qna.v1.Clock/RunDue":     {CallerSandbox},

	"/claims.v1.Intake/RequestClaim":           {CallerMarketplace, CallerStorefront, CallerSandbox},
	"/claims.v1.Intake/RecordShortfallPayment": {CallerMarketplace, CallerPayments, CallerSandbox},
	"/claims.v1.Intake/WithdrawClaim":          {CallerMarketplace, CallerStorefront, CallerOperator, CallerSandbox},
	"/claims.v1.Intake/ConvertToReturn":        {CallerMarketplace, CallerOperator, CallerSandbox},
	"/claims.v1.Intake/HoldInspection":         {CallerMarketplace, CallerOperator, CallerSandbox},
	"/claims.v1.Intake/RecordRefund":           {CallerMarketplace, CallerOperator, CallerPayments, CallerSandbox},
	"/claims.v1.Intake/RetryRefund":            {CallerMarketplace, CallerOperator, CallerSandbox},
	"/claims.v1.Intake/ActAsOperator":          {CallerMarketplace, CallerOperator, CallerSandbox},
	"/claims.v1.Intake/CancelReshipment":       {CallerMarketplace, CallerOperator, CallerSandbox},
	"/claims.v1.Intake/FreezeClaim":            {CallerMarketplace, CallerOperator, CallerSandbox},
	"/claims.v1.Intake/UnfreezeClaim":          {CallerMarketplace, CallerOperator, CallerSandbox},
	"/claims.v1.Intake/SetSellerPolicy":        {CallerMarketplace},

	"/orders.v1.Changes/ChangedSellers": {CallerMarketplace},
	"/orders.v1.Changes/ListChanges":    {CallerMarketplace},
	"/orders.v1.Changes/GetOrder":       {CallerMarketplace, CallerConsole, CallerSandbox},
	"/claims.v1.Changes/ChangedSellers": {CallerMarketplace},
	"/claims.v1.Changes/ListChanges":    {CallerMarketplace},
	"/claims.v1.Changes/GetClaim":       {CallerMarketplace, CallerConsole, CallerSandbox},
	"/qna.v1.Changes/ChangedSellers":    {CallerMarketplace},
	"/qna.v1.Changes/ListChanges":       {CallerMarketplace},
	"/qna.v1.Changes/GetInquiry":        {CallerMarketplace, CallerConsole, CallerSandbox},

	"/qna.v1.Intake/PostInquiries": {CallerMarketplace, CallerStorefront, CallerSandbox},
	"/qna.v1.Intake/CancelAnswer":  {CallerMarketplace, CallerOperator, CallerSandbox},

	"/gateway.v1.Keys/RegisterSeller": {CallerMarketplace, CallerConsole, CallerLoad},
	"/gateway.v1.Keys/IssueKey":       {CallerMarketplace, CallerConsole, CallerLoad},
	"/gateway.v1.Keys/ListKeys":       {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Keys/RevealKey":      {CallerConsole},
	"/gateway.v1.Keys/RevokeKey":      {CallerMarketplace, CallerConsole, CallerOperator},

	"/gateway.v1.Webhooks/AddWebhook":            {CallerMarketplace, CallerConsole},
	"/gateway.v1.Webhooks/ListWebhooks":          {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Webhooks/RotateWebhookSecret":   {CallerMarketplace, CallerConsole},
	"/gateway.v1.Webhooks/PauseWebhook":          {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Webhooks/ResumeWebhook":         {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Webhooks/TestWebhook":           {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Webhooks/RemoveWebhook":         {CallerMarketplace, CallerConsole},
	"/gateway.v1.Webhooks/ListWebhookDeliveries": {CallerMarketplace, CallerConsole, CallerOperator},

	"/gateway.v1.Requests/ListRequests":  {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Requests/GetRequest":    {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Requests/FindRequest":   {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Requests/CountRequests": {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Requests/ListKeyUses":   {CallerMarketplace, CallerConsole, CallerOperator},
	"/gateway.v1.Requests/ListLimitUses": {CallerMarketplace, CallerConsole, CallerOperator},
}

func (t accessTable) allows(caller, procedure string) bool {
	return slices.Contains(t[procedure], caller)
}

// Callers returns the names that the access table knows, sorted.
func Callers() []string {
	names := make([]string, 0, len(callers))
	for _, c := range callers {
		names = append(names, c.name)
	}
	slices.Sort(names)
	return names
}

// Procedures returns the procedures that the access table has a row for, sorted, in the form "/orders.v1.Intake/PlaceOrders".
func Procedures() []string { return slices.Sorted(maps.Keys(access)) }

// Audience returns the services of which the caller may call anything, sorted: those that a token of it is for.
func Audience(caller string) []string {
	var services []string
	for procedure, callers := range access {
		service, _, _ := strings.Cut(strings.TrimPrefix(procedure, "/"), ".")
		if slices.Contains(callers, caller) && !slices.Contains(services, service) {
			services = append(services, service)
		}
	}
	slices.Sort(services)
	return services
}
