package webhook_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/gateway/internal/webhook"
)

// No delivery goes to an address that is not on the public internet, however it is written.
func TestControl_publicOnly(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"127.0.0.1:443", "10.1.2.3:443", "172.16.0.1:443", "192.168.0.1:443", "169.254.169.254:80", "100.64.0.1:443", "0.0.0.0:443",
		"0.1.2.3:443", "224.0.0.1:443", "255.255.255.255:443", "240.0.0.1:443", "192.0.0.8:443", "198.18.0.1:443", "203.0.113.7:443",
		"[::]:443", "[::1]:443", "[::ffff:8.8.8.8]:443", "[::ffff:127.0.0.1]:443", "[::7f00:1]:443", "[fe80::1%eth0]:443",
		"[fc00::1]:443", "[fd12::1]:443", "[fec0::1]:443", "[ff02::1]:443", "[64:ff9b::7f00:1]:443", "[64:ff9b:1::1]:443",
		"[2002:7f00:1::]:443", "[2001::1]:443", "[2001:db8::1]:443", "name:443", "",
	} {
		require.Error(t, webhook.Addresses{}.Control(address), address)
	}
	for _, address := range []string{"8.8.8.8:443", "172.32.0.1:443", "100.128.0.1:8443", "[2606:4700::1111]:443"} {
		require.NoError(t, webhook.Addresses{}.Control(address), address)
	}
	local := webhook.Addresses{Loopback: true}
	require.NoError(t, local.Control("127.0.0.1:443"))
	require.NoError(t, local.Control("[::1]:443"))
	require.Error(t, local.Control("10.1.2.3:443"))
}

// A URL that could never be delivered to is refused when it is added.
func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"https://erp.example/hooks", "https://erp.example:8443/?shop=1", "https://8.8.8.8/", "https://쇼핑.example/",
		"https://8.example./",
		"https://erp.example/" + strings.Repeat("가", 400),
	} {
		require.Empty(t, webhook.Addresses{}.CheckURL(url), url)
	}
	for _, url := range []string{
		"", "erp.example", "http://erp.example/", "https://", "https://:443/", "ftp://erp.example", "https://kim:pw@erp.example/",
		"https://erp.example/#a", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/", "https://erp.example/%zz",
		"https://erp.example:0/", "https://erp.example:65536/", "https://2130706433/", "https://127.1/", "https://0x7f.1/",
		"https://0x7f000001/", "https://017700000001./",
		"https://erp.example/" + string(make([]byte, 500)),
	} {
		require.NotEmpty(t, webhook.Addresses{}.CheckURL(url), url)
	}
	require.Empty(t, webhook.Addresses{Loopback: true}.CheckURL("http://127.0.0.1:8080/"))
}

// The signature is the one of the specification's own example.
func TestSign_exampleOfSpecification(t *testing.T) {
	t.Parallel()
	header := http.Header{}
	text := secret.New("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	require.NoError(t, webhook.Sign(header, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`), text))
	require.Equal(t, http.Header{
		"Webhook-Id": {"msg_p5jXN8AQM9LWM0D4loKWxJek"}, "Webhook-Timestamp": {"1614265330"},
		"Webhook-Signature": {"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
	}, header)
}
