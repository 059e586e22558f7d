package charts

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A compromised service exposes everything in its pod, so each private key is mounted only in the pods of the service that owns
// it.
func TestPrivateKeys_onlyWithTheirParty(t *testing.T) {
	t.Parallel()
	mounted, trusting := map[string]string{}, 0
	for _, o := range rendered(t, "console") {
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
	for _, service := range delivered {
		require.Equal(t, "soa-seller-open-api-"+service, mounted["seller-open-api-signing-"+service])
	}
	require.Len(t, mounted, len(delivered))
	require.Equal(t, len(services), trusting, "every service trusts the others, no migration does; nobody calls the console")
}

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

func items(source object) []object {
	list, _ := source.at("secret", "items").([]any)
	all := make([]object, 0, len(list))
	for _, entry := range list {
		item, _ := entry.(object)
		all = append(all, item)
	}
	return all
}
