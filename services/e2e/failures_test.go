package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	published "sellerapi.dev/proto/openapi/guides"
	"sellerapi.dev/services/e2e/stacktest"
)

var update = flag.Bool("update", false, "rewrite the recorded examples of the guides")

// The example on the page of a code was sent and answered exactly like that, so that a developer who sends the same gets the
// same. Every failure that a client can get has an example.
func TestFailures(t *testing.T) { //nolint:tparallel // the group ends when all of its calls have been made
	t.Parallel()
	rows := reachable()
	made := make([]published.Failure, len(rows))
	ended := t.Run("sent", func(t *testing.T) {
		for i, row := range rows {
			t.Run(row.Code.Page(), func(t *testing.T) {
				t.Parallel()
				made[i] = recordFailure(t, row)
			})
		}
	})
	require.True(t, ended, "every failure was provoked")
	file := filepath.Join(root, guides, "failures.json")
	text := failuresFile(t, made)
	if *update {
		require.NoError(t, os.WriteFile(file, text, 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(text), "go test ./services/e2e -run TestFailures -update rewrites it")
}

func reachable() []apierr.Row {
	var rows []apierr.Row
	for _, row := range apierr.Codes() {
		if _, hidden := inside[row.Code]; !hidden {
			rows = append(rows, row)
		}
	}
	return rows
}

func failuresFile(t *testing.T, list []published.Failure) []byte {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(list))
	return text.Bytes()
}

func recordFailure(t *testing.T, row apierr.Row) published.Failure {
	t.Helper()
	prepare, known := provoked[row.Code]
	require.True(t, known, "no call provokes it")
	var failure published.Failure
	for _, lang := range []apierr.Lang{apierr.English, apierr.Korean} {
		d := openSession(t)
		call := prepare(t, d)
		call.Header = call.Header.Clone()
		if lang == apierr.Korean {
			if call.Header == nil {
				call.Header = http.Header{}
			}
			call.Header.Set("Accept-Language", lang.String())
		}
		answer := d.refusal(t, row.Code, call)
		require.Equal(t, row.Status, answer.Status, "%s", answer.Body)
		if !row.Unpublished {
			require.Contains(t, string(answer.Body), `"`+string(row.Code)+`"`)
		}
		n := &normalizer{}
		one := n.failure(t, row, call)
		if failure.Answer == nil {
			failure = one
		} else {
			require.Equal(t, failure.Path+string(failure.Body), one.Path+string(one.Body), "the same request for each language")
		}
		failure.Answer[lang.String()] = n.json(t, string(answer.Body))
	}
	return failure
}

func (d *session) refusal(t *testing.T, code apierr.Code, call stacktest.Call) stacktest.Answer {
	t.Helper()
	switch code {
	case apierr.RateLimitUnavailable:
		return d.Once(t, call) // Do would retry
	case apierr.BodyTooSlow:
		return d.halfAnswered(t, call)
	case apierr.IdempotencyInProgress:
		return d.refusedMeanwhile(t, call)
	case apierr.QnaAnswerUnresolved:
		return d.answeredMeanwhile(t, call)
	default:
		return d.Do(t, call)
	}
}
