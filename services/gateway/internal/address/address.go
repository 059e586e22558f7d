// Package address says what the address of a client is counted by.
package address

import "net/netip"

// networkBits are those of an IPv6 address that are counted as one: a subscriber has all addresses of such a network.
const networkBits = 64

// Network returns what an address is counted by: itself, or the network of an IPv6 address. ok is false for the zero address.
func Network(address netip.Addr) (network netip.Prefix, ok bool) {
	address = address.Unmap().WithZone("")
	network, err := address.Prefix(min(address.BitLen(), networkBits))
	return network, err == nil
}
