package rest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/proto/openapi"
)

// The contract lists exactly the carrier names for which errors have a hint, and the rules of the warning about a tracking
// number: clients use both to read spreadsheets.
func TestContract_namesAndNumbersOfCarriers(t *testing.T) {
	t.Parallel()
	var contract struct {
		Components struct {
			Schemas struct {
				CarrierName struct {
					OtherNames map[carrier.Name][]string `json:"x-other-names"`
					Numbers    map[carrier.Name]struct {
						Lengths   []int `json:"lengths"`
						CheckFrom *int  `json:"check-from"`
					} `json:"x-tracking-numbers"`
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
	require.Len(t, contract.Components.Schemas.CarrierName.Numbers, len(carrier.All()))
	for _, facts := range carrier.All() {
		numbers := contract.Components.Schemas.CarrierName.Numbers[facts.Name]
		require.Equal(t, facts.Lengths, numbers.Lengths)
		checkFrom := -1
		if numbers.CheckFrom != nil {
			checkFrom = *numbers.CheckFrom
		}
		require.Equal(t, facts.CheckFrom, checkFrom)
	}
}
