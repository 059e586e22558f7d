package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
)

type describedOperation struct {
	// Example is an example of its body, always the same one; empty if it has no body.
	Example json.RawMessage
	// Conflicts are its error codes with status 409.
	Conflicts []string
}

var described = sync.OnceValue(func() map[string]describedOperation {
	type reference struct {
		Ref string `json:"$ref"`
	}
	var contract struct {
		Paths map[string]struct {
			Post *struct {
				ID          string `json:"operationId"`
				RequestBody struct {
					Content map[string]struct {
						Examples map[string]reference `json:"examples"`
					} `json:"content"`
				} `json:"requestBody"`
				Responses map[string]reference `json:"responses"`
			} `json:"post"`
		} `json:"paths"`
		Components struct {
			Examples map[string]struct {
				Value json.RawMessage `json:"value"`
			} `json:"examples"`
			Responses map[string]struct {
				Codes []*string `json:"x-error-codes"`
			} `json:"responses"`
		} `json:"components"`
	}
	if err := json.Unmarshal(openapi.JSON().Bytes(), &contract); err != nil {
		panic(err) // the contract is embedded
	}
	last := func(r reference) string { return r.Ref[strings.LastIndex(r.Ref, "/")+1:] }
	all := map[string]describedOperation{}
	for _, path := range contract.Paths {
		if path.Post == nil {
			continue
		}
		var one describedOperation
		examples := path.Post.RequestBody.Content["application/json"].Examples
		for _, name := range slices.Sorted(maps.Keys(examples)) {
			one.Example = contract.Components.Examples[last(examples[name])].Value
		}
		for _, code := range contract.Components.Responses[last(path.Post.Responses["409"])].Codes {
			one.Conflicts = append(one.Conflicts, *code)
		}
		all[path.Post.ID] = one
	}
	return all
})

func operationOf(action string) string { return strings.ReplaceAll(action, "-", "_") + "_claim" }

// notCode returns the code of an action that is refused because of something outside of the claim.
func notCode(t *testing.T, action string) string {
	t.Helper()
	for _, code := range described()[operationOf(action)].Conflicts {
		if strings.HasPrefix(code, "CLAIM_NOT_") {
			return code
		}
	}
	require.Fail(t, "no code", action)
	return ""
}

// availableActions returns the actions that can be newly executed in a state, from the table that the rules are
// reviewed with.
func availableActions(t *testing.T, kind, status string) []string {
	t.Helper()
	text, err := os.ReadFile("../claims/internal/claim/testdata/available.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, columns, 3)
		if columns[0] == kind && columns[1] == status {
			return append([]string{}, strings.Fields(columns[2])...)
		}
	}
	require.Fail(t, "no such state", "%s %s", kind, status)
	return nil
}
