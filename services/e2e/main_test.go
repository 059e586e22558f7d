package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/conformance/oracle"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/services/e2e/stacktest"
)

// TestMain creates a directory that outlives single tests, and removes it in the end. When all tests have run and passed, it
// requires that they have seen everything that clients are promised.
func TestMain(m *testing.M) {
	var err error
	if programDir, err = os.MkdirTemp("", "allinone-*"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(programDir)
	if code == 0 && wasWhole() {
		code = requireSeen()
	}
	os.Exit(code)
}

// wasWhole reports whether all tests were run, without a filter.
func wasWhole() bool {
	for name, whole := range map[string]string{"run": "", "skip": "", "list": "", "bench": "", "fuzz": "", "short": "false"} {
		if flag.Lookup("test."+name).Value.String() != whole {
			return false
		}
	}
	return flag.Lookup("test.count").Value.String() != "0"
}

// requireSeen prints what was never seen and returns the exit code.
func requireSeen() int {
	checker, err := stacktest.Contract()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	unseen := slices.Concat(unseenAnswers(checker), unseenCodes(checker), unlikeRecorded())
	if len(unseen) == 0 {
		return 0
	}
	fmt.Fprintf(os.Stderr, "All tests passed, but what clients are promised here was never seen:\n  %s\n",
		strings.Join(unseen, "\n  "))
	return 1
}

// never are the answers that the contract declares because a schema is shared, and that no client can encounter, with the reason.
var never = map[oracle.Finding]string{
	{Operation: "check_shipments", Status: http.StatusOK, Code: apierr.OrderBatchError.WireCode()}: "unexpected errors fail a check",
}

// unseenAnswers returns the operations with each status and code that the contract declares and no test has provoked, and those
// listed in never that a test has.
func unseenAnswers(checker *oracle.Oracle) []string {
	var unseen []string
	for _, finding := range checker.Unseen() {
		if _, isShared := never[finding]; !isShared {
			unseen = append(unseen, finding.String())
		}
	}
	for finding := range never {
		if checker.Seen()[finding] > 0 {
			unseen = append(unseen, finding.String()+" (said to be out of reach)")
		}
	}
	return unseen
}

// inside are the rows of the error table that no client can encounter, with the reason.
var inside = map[apierr.Code]string{
	apierr.Unauthenticated: "a service says it to a gateway that it does not know, which makes it 502",
}

// unseenCodes returns the rows of the error table that no test has encountered, and those listed in inside that a test has.
func unseenCodes(checker *oracle.Oracle) []string {
	met := map[string]bool{}
	for finding := range checker.Seen() {
		met[rowName(finding.Status, finding.Code)] = true
	}
	var unseen []string
	for _, row := range apierr.Codes() {
		_, isInside := inside[row.Code]
		if met[rowName(row.Status, row.Code.WireCode())] == isInside {
			unseen = append(unseen, fmt.Sprintf("the error table's %s (said to be out of reach: %t)", row.Code, isInside))
		}
	}
	return unseen
}

// unlikeRecorded returns the examples of refusals in the contract that no test has received in that form, so that developers get
// what they read.
func unlikeRecorded() []string {
	var contract struct {
		Components struct {
			Examples map[string]struct {
				Value json.RawMessage `json:"value"`
			} `json:"examples"`
		} `json:"components"`
	}
	if err := json.Unmarshal(openapi.JSON().Bytes(), &contract); err != nil {
		return []string{err.Error()}
	}
	var unlike []string
	for name, example := range contract.Components.Examples {
		if code, form, refused := stacktest.FormOf(example.Value); refused && !stacktest.Recorded(code, form) {
			unlike = append(unlike, fmt.Sprintf("the example %s as it stands, with error_data of %s", name, form))
		}
	}
	return unlike
}

// rowName returns the name of the row of a failure; failures without a code have one for each status.
func rowName(status int, code string) string { return fmt.Sprintf("%d %s", status, code) }
