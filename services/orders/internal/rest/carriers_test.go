package rest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/proto/openapi"
)

// The contract lists exactly the carrier names for which errors have a hint: clients use the list to read spreadsheets.
func TestContract_otherNamesOfCarriers(t *testing.T) {
	t.Parallel()
	var contract struct {
		Components struct {
			Schemas struct {
				CarrierName struct {
					OtherNames map[carrier.Name][]string `json:"x-other-names"`
				} `json:"CarrierName"`
			} `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(openapi.JSON().Bytes(), &contract))
	listed := map[string]carrier.Name{}
	for name, others := range contract.Components.Schemas.CarrierName.OtherNames {
		for _, other := range others {
			require.NotContains(t, listed, other)
			listed[other] = name
		}
	}
	require.Equal(t, carrier.OtherNames(), listed)
}
