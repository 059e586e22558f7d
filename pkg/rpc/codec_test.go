package rpc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A member that the contract lacks is refused wherever it stands, with its path and the name that was probably meant, and a
// member under its name in the contract or in JSON is read.
func TestStrictJSON_unknownMember(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"claims": [{"claim_no": "C-1"}, {}], "qna_id": "7"}`: "",
		`{"claims": null, "qna_id": 7}`:                        "",
		`{"qna_idd": "7"}`:                                     `qna_idd: unknown member, did you mean "qna_id"?`,
		`{"zzz": 1, "claims": [{}, {"claimno": "C-1"}]}`:       `claims[1].claimno: unknown member, did you mean "claim_no"?; zzz: unknown member`,
		`{"claims": [{"memo": {"text": "a"}}]}`:                "invalid value",
		`{"qna_id": "7"`:                                       "unexpected EOF",
		``:                                                     "unexpected token",
	} {
		m := message(t, "Batch", "{}").Interface()
		err := strictJSON{"json"}.Unmarshal([]byte(text), m)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}
