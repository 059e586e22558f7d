package webhook

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"
)

// maxURLChars limits the URL of a webhook.
const maxURLChars = 500

// Addresses says which addresses deliveries may go to. The zero value allows those of the public internet, with https.
type Addresses struct {
	// Loopback allows http, and the loopback interface: for tests and a developer's machine.
	Loopback bool
}

// CheckURL returns what is wrong with a URL; empty if nothing is. Names are resolved with each connection only.
func (a Addresses) CheckURL(text string) string {
	address, err := url.Parse(text)
	switch {
	case text == "":
		return "is required"
	case utf8.RuneCountInString(text) > maxURLChars:
		return "must have at most 500 characters"
	case err != nil || address.Host == "" || address.Hostname() == "":
		return "must be a URL such as https://erp.example/hooks"
	case address.Scheme != "https" && (address.Scheme != "http" || !a.Loopback):
		return "must begin with https://"
	case address.User != nil:
		return "must not contain a user or a password"
	case address.Fragment != "":
		return "must not contain a fragment"
	case address.Port() != "" && !isPort(address.Port()):
		return "must have a port from 1 to 65535"
	}
	return a.checkHost(address.Hostname())
}

func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

// checkHost returns what is wrong with a host. No domain of the first level begins with a digit: 2130706433 and 0x7f.1 are
// spellings of an address that some resolvers know.
func (a Addresses) checkHost(host string) string {
	last := strings.TrimSuffix(host, ".")
	last = last[strings.LastIndexByte(last, '.')+1:]
	switch ip, err := netip.ParseAddr(host); {
	case err == nil && !a.allows(ip):
		return "must not be an address of a private network"
	case err != nil && last != "" && '0' <= last[0] && last[0] <= '9':
		return "must have the name of a host, or an address such as 8.8.8.8"
	}
	return ""
}

// errAddress says that a name leads to an address that is not public.
var errAddress = errors.New("the address is not a public one")

// control is the Control of the dialer: it sees the address that a connection is made to, after resolution.
func (a Addresses) control(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil || !a.allows(target.Addr()) {
		return errAddress
	}
	return nil
}

// refused are the networks that netip does not classify, or that embed an address of IPv4.
var refused = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("100.64.0.0/10"),   // carrier-grade NAT
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, and broadcast
	netip.MustParsePrefix("::/96"),           // IPv4-compatible
	netip.MustParsePrefix("64:ff9b::/96"),    // NAT64
	netip.MustParsePrefix("64:ff9b:1::/48"),  // local NAT64
	netip.MustParsePrefix("100::/64"),        // discard
	netip.MustParsePrefix("2001::/23"),       // protocol assignments, Teredo
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
	netip.MustParsePrefix("2002::/16"),       // 6to4
	netip.MustParsePrefix("fec0::/10"),       // site-local
}

func (a Addresses) allows(ip netip.Addr) bool {
	if a.Loopback && ip.Unmap().IsLoopback() {
		return true
	}
	if ip.Is4In6() || ip.Zone() != "" || !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, network := range refused {
		if network.Contains(ip) {
			return false
		}
	}
	return true
}
