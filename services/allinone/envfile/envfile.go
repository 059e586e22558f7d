// Package envfile reads and writes stack.env, which says how to reach a running stack, as lines
// that a shell can source and other programs can read.
package envfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Name is the file's name in the run directory.
const Name = "stack.env"

// Values is everything that a program needs to use a running stack. It holds secrets.
type Values struct {
	// GatewayURL is the base URL of the public interface, without a slash at the end.
	GatewayURL string
	// ConsoleURL is the address of the partner console, empty without one.
	ConsoleURL string
	// OrdersRPCURL to KeysRPCURL are the base URLs of the services' RPC.
	OrdersRPCURL, ClaimsRPCURL, QnARPCURL, KeysRPCURL string
	// RPCToken is the credential for the RPC, sent as "Authorization: Bearer …".
	RPCToken string
	// DatabaseURL and RedisURL are the connection strings of the servers that hold the data.
	DatabaseURL, RedisURL string
	// SellerAID to SellerBKey are two sellers and their API keys with every scope.
	SellerAID, SellerAKey, SellerBID, SellerBKey string
	// MetricsURLs is a comma-separated list with one metrics page per service.
	MetricsURLs string
}

type line struct {
	name  string
	value *string
}

// lines returns all variables in the order of the file. It is their only list.
func (v *Values) lines() []line {
	return []line{
		{"GATEWAY_URL", &v.GatewayURL},
		{"CONSOLE_URL", &v.ConsoleURL},
		{"ORDERS_RPC_URL", &v.OrdersRPCURL},
		{"CLAIMS_RPC_URL", &v.ClaimsRPCURL},
		{"QNA_RPC_URL", &v.QnARPCURL},
		{"KEYS_RPC_URL", &v.KeysRPCURL},
		{"RPC_TOKEN", &v.RPCToken},
		{"DATABASE_URL", &v.DatabaseURL},
		{"REDIS_URL", &v.RedisURL},
		{"SELLER_A_ID", &v.SellerAID},
		{"SELLER_A_KEY", &v.SellerAKey},
		{"SELLER_B_ID", &v.SellerBID},
		{"SELLER_B_KEY", &v.SellerBKey},
		{"METRICS_URLS", &v.MetricsURLs},
	}
}

// plain matches a value that a shell reads correctly without quotes. Such values stay unquoted
// for readers that do not support quotes.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,?-]*$`)

// Format returns the text of the file.
func Format(v Values) []byte {
	var text strings.Builder
	for _, l := range v.lines() {
		value := *l.value
		if !plain.MatchString(value) {
			value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
		}
		fmt.Fprintf(&text, "%s=%s\n", l.name, value)
	}
	return []byte(text.String())
}

// Parse reads what Format wrote. Unknown variables are ignored, missing ones are an error.
func Parse(text []byte) (Values, error) {
	var v Values
	given := map[string]string{}
	for row := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(strings.TrimSuffix(row, "\n"), "="); found {
			given[name] = unquote(value)
		}
	}
	var missing []string
	for _, l := range v.lines() {
		value, found := given[l.name]
		if !found {
			missing = append(missing, l.name)
		}
		*l.value = value
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return Values{}, fmt.Errorf("%s lacks %s", Name, strings.Join(missing, ", "))
	}
	return v, nil
}

func unquote(value string) string {
	if len(value) < 2 || value[0] != '\'' {
		return value
	}
	return strings.ReplaceAll(value[1:len(value)-1], `'\''`, "'")
}
