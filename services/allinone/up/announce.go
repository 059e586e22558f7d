package up

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/sandbox/market"
)

var banner = template.Must(template.New("banner").Parse(`
Seller Open API runs at {{.GatewayURL}}; its documentation is at {{.GatewayURL}}/docs
The partner console, for keys and calls, is at {{.ConsoleURL}}

  Seller A  {{.A.Name}}  {{.A.Key}}
  Seller B  {{.B.Name}}  {{.B.Key}}

Try:
  curl -H 'X-Api-Key: {{.A.Key}}' '{{.GatewayURL}}/open/v1/orders?limit=3'
  curl -H 'X-Api-Key: {{.A.Key}}' '{{.GatewayURL}}/open/v1/orders?item_status=paid&updated_at_gte={{.Since}}'
  curl -H 'X-Api-Key: {{.A.Key}}' '{{.GatewayURL}}/open/v1/orders/{{.OrderNo}}'
  curl -H 'X-Api-Key: {{.A.Key}}' '{{.GatewayURL}}/open/v1/claims?status=requested'
  curl -H 'X-Api-Key: {{.A.Key}}' --json '{}' '{{.GatewayURL}}/sandbox/v1/orders'

{{if .Workers}}Rows are on {{.Workers}} workers behind a coordinator; DATABASE_URL of stack.env reaches the coordinator.
{{end}}Addresses, keys and tokens for programs: {{.EnvPath}}
Log of the services: {{.LogPath}}
{{if .Lively}}New orders and claims arrive every few seconds. {{end}}Ctrl-C stops everything and keeps the data.
`))

func (s *session) announce(ctx context.Context, known parties) error {
	marketplace := &marketplace{gateway: s.stack.GatewayURL}
	newest, err := marketplace.newestOrder(ctx, known.A.Key)
	if err != nil {
		return err
	}
	return banner.Execute(s.Out, map[string]any{
		"GatewayURL": s.stack.GatewayURL, "ConsoleURL": s.console.URL,
		"A": known.A, "B": known.B, "OrderNo": newest, "Lively": s.Lively,
		"Since":   time.Now().Add(-time.Hour).UTC().Format("2006-01-02T15:04:05Z"),
		"Workers": map[Layout]int{Distributed: workers}[s.Layout],
		"EnvPath": s.dir.Path(envfile.Name), "LogPath": s.dir.Path(logName),
	})
}

func (s *session) values(known parties, token string) envfile.Values {
	metrics := append(make([]string, 0, len(s.stack.MetricsURLs)+1), s.console.MetricsURL)
	for _, address := range s.stack.MetricsURLs {
		metrics = append(metrics, address)
	}
	slices.Sort(metrics)
	return envfile.Values{
		GatewayURL: s.stack.GatewayURL, ConsoleURL: s.console.URL, OrdersRPCURL: s.stack.RPCURLs[operation.Orders],
		ClaimsRPCURL: s.stack.RPCURLs[operation.Claims],
		QnARPCURL:    s.stack.RPCURLs[operation.QnA], KeysRPCURL: s.stack.KeysURL, RPCToken: token,
		DatabaseURL: s.servers.database.Reveal(), RedisURL: s.servers.redis.Reveal(),
		SellerAID: known.A.ID, SellerAKey: known.A.Key, SellerBID: known.B.ID, SellerBKey: known.B.Key,
		MetricsURLs: strings.Join(metrics, ","),
	}
}

// startTrade lets new orders arrive until the returned function is called. Each start trades
// under a seed of its own, because order numbers must not repeat.
func (s *session) startTrade(ctx context.Context, known parties) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		now := time.Now()
		sellers, err := known.sellers(known.seed(), otherSellers)
		if err != nil {
			return
		}
		trade, err := market.New(market.Plan{Seed: uint64(now.UnixNano()), Base: now, Orders: 1000, Sellers: sellers}) //nolint:gosec // a time after 1970
		if err != nil {
			return
		}
		trade.Live(ctx, market.Intakes{
			Orders:    stack.Intake(s.stack.RPCURLs[operation.Orders], s.env.RPCToken),
			Claims:    stack.ClaimIntake(s.stack.RPCURLs[operation.Claims], s.env.RPCToken),
			Inquiries: stack.Inquiries(s.stack.RPCURLs[operation.QnA], s.env.RPCToken),
		}, liveEvery, s.tradeFailed)
	}()
	return func() { cancel(); <-ended }
}

// tradeFailed reports that nothing new arrives; the trade keeps trying.
func (s *session) tradeFailed(err error) {
	_, _ = fmt.Fprintln(s.Out, "new orders, claims and inquiries could not be sent:", err)
}
