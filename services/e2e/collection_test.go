package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/clients/postman"
	"sellerapi.dev/services/e2e/stacktest"
)

// collectionRun is the part of newman's report on a run that the test reads. newman runs Postman collections.
type collectionRun struct {
	Run struct {
		Executions []struct {
			Item struct {
				Name string `json:"name"`
			} `json:"item"`
			Response struct {
				Code int `json:"code"`
			} `json:"response"`
		} `json:"executions"`
		Failures []json.RawMessage `json:"failures"`
	} `json:"run"`
}

// otherwise are the expected statuses of requests that do not simply succeed: the rejection comes after the approval, and the
// shipment of an exchange may be registered before its line is shipped.
var otherwise = map[string][]int{
	"Reject a claim": {http.StatusConflict},
	"Register the shipment of the exchanged goods": {http.StatusOK, http.StatusConflict},
}

// A developer imports the collection as the system serves it, sets the key and runs it from the top: an order is shipped, an
// exchange is completed, an inquiry is answered.
func TestCollection_runsFromTheTop(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	d.PermitCorrection(t, d.seller.ID, true)
	d.newClaim(t, stacktest.Exchange, stacktest.Because("wrong_delivery"))
	d.Ask(t, stacktest.NewInquiry(d.seller.ID))
	d.PlaceNew(t, d.seller.ID)
	file, report := filepath.Join(t.TempDir(), postman.Name), filepath.Join(t.TempDir(), "report.json")
	collection := served(t, d.GatewayURL+"/docs/"+postman.Name)
	require.Contains(t, string(collection), `"value": "`+d.GatewayURL+`"`)
	require.NoError(t, os.WriteFile(file, collection, 0o600))
	packages, err := generatorPackages()
	require.NoError(t, err)

	runIn(t, t.TempDir(), []string{
		filepath.Join(packages, ".bin", "newman"), "run", file, "--env-var", "base_url=" + d.Witnessed(t), "--env-var",
		"api_key=" + d.seller.Key,
		"--reporters", "json", "--reporter-json-export", report,
	})
	var done collectionRun
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &done))
	require.Empty(t, done.Run.Failures)
	require.Len(t, done.Run.Executions, len(operations))
	for _, call := range done.Run.Executions {
		want := []int{http.StatusOK}
		if others, there := otherwise[call.Item.Name]; there {
			want = others
		}
		require.Contains(t, want, call.Response.Code, call.Item.Name)
	}
}
