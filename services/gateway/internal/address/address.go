// Package address returns the network by which a client's address is counted.
package address

import "net/netip"

// networkBits is the prefix length by which IPv6 addresses are counted: a subscriber has all addresses of such a network.
const networkBits = 64

// Network returns the prefix by which an address is counted: the address itself, or its IPv6 network. ok is false for the zero
// address.
func Network(address netip.Addr) (network netip.Prefix, ok bool) {
	address = address.Unmap().WithZone("")
	network, err := address.Prefix(min(address.BitLen(), networkBits))
	return network, err == nil
}
