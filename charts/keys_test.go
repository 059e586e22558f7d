package charts

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// holders are the names of the Secrets with private keys in the variant minimal, and the Deployments that they are mounted in.
var holders = map[string]string{
	"seller-open-api-signing-gateway": "soa-seller-open-api-gateway",
	"seller-open-api-signing-orders":  "soa-seller-open-api-orders",
	"seller-open-api-signing-claims":  "soa-seller-open-api-claims",
	"seller-open-api-signing-qna":     "soa-seller-open-api-qna",
}

// A service that is taken over has what its pod has, so a private key must be in the pod of its party and in no other.
func TestPrivateKeys_onlyWithTheirParty(t *testing.T) {
	t.Parallel()
	mounted, trusting := map[string]string{}, 0
	for _, o := range rendered(t, "minimal") {
		if podSpec(o) == nil {
			continue
		}
		for _, source := range projected(o) {
			if source.text("configMap", "name") == "seller-open-api-trusted-keys" {
				trusting++
			}
			for _, key := range items(source) {
				if key.text("key") == "private-key" {
					secret := source.text("secret", "name")
					require.Empty(t, mounted[secret], "%s in two pods", secret)
					mounted[secret] = o.text("metadata", "name")
				}
			}
		}
	}
	require.Equal(t, holders, mounted)
	require.Equal(t, len(services), trusting, "every service recognises the others, no migration does")
}

// projected are the sources of the files of an object's pods.
func projected(o object) []object {
	var all []object
	volumes, _ := podSpec(o).at("volumes").([]any)
	for _, entry := range volumes {
		volume, _ := entry.(object)
		sources, _ := volume.at("projected", "sources").([]any)
		for _, source := range sources {
			one, _ := source.(object)
			all = append(all, one)
		}
	}
	return all
}

// items are the keys that are taken from a Secret.
func items(source object) []object {
	list, _ := source.at("secret", "items").([]any)
	all := make([]object, 0, len(list))
	for _, entry := range list {
		item, _ := entry.(object)
		all = append(all, item)
	}
	return all
}
