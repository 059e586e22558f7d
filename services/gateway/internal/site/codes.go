package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/guides"
)

// codePage is what a page about a code is filled with.
type codePage struct {
	Code            string
	Facts           []string
	Message         string
	Happened, Doing template.HTML
	Request, Answer string
}

// code is a failure with everything that is known of it.
type code struct {
	row     apierr.Row
	example openapi.Failure
}

// name is the last part of the page's path.
func (c *code) name() string { return c.row.Code.Page() }

// codes returns all failures that clients can get, with their examples.
func codes() ([]code, error) {
	examples, err := openapi.Failures()
	if err != nil {
		return nil, err
	}
	withoutCode := map[int]openapi.Failure{}
	for _, example := range examples {
		var answer struct {
			Meta struct {
				Code      int     `json:"code"`
				ErrorCode *string `json:"error_code"`
			} `json:"meta"`
		}
		if err := json.Unmarshal([]byte(example.Answer), &answer); err != nil {
			return nil, err
		}
		if answer.Meta.ErrorCode == nil {
			withoutCode[answer.Meta.Code] = example
		}
	}
	var list []code
	for _, row := range apierr.Codes() {
		example := examples[string(row.Code)]
		if row.Unpublished {
			example = withoutCode[row.Status]
		}
		list = append(list, code{row: row, example: example})
	}
	return list, nil
}

// advice is what the file of a language says about the codes, by the name of the page.
func advice(lang apierr.Lang) (map[string][2]document, error) {
	text, err := fs.ReadFile(guides.Files, lang.String()+"/errors.md")
	if err != nil {
		return nil, err
	}
	all := map[string][2]document{}
	for section := range strings.SplitSeq(string(text), "\n## ") {
		name, body, _ := strings.Cut(section, "\n")
		happened, doing, found := strings.Cut(body, "\n→ ")
		if !found {
			continue // the beginning of the file
		}
		var both [2]document
		for i, part := range []string{happened, doing} {
			if both[i], err = markdown(lang, []byte(part)); err != nil {
				return nil, err
			}
		}
		all[name] = both
	}
	return all, nil
}

// page returns what a page about the code says in a language.
func (c *code) page(lang apierr.Lang, said [2]document) codePage {
	return codePage{
		Code: c.name(), Facts: c.facts(lang), Message: c.row.Code.Message(lang), Happened: said[0].body, Doing: said[1].body,
		Request: c.request(), Answer: c.answer(lang),
	}
}

// facts are what the table says of the code.
func (c *code) facts(lang apierr.Lang) []string {
	facts := []string{"HTTP " + strconv.Itoa(c.row.Status)}
	if c.row.Unpublished {
		facts = append(facts, words.without.In(lang))
	}
	if c.row.Batch {
		facts = append(facts, words.inBatch.In(lang))
	}
	if c.row.Stored {
		facts = append(facts, words.kept.In(lang))
	}
	if c.row.RetryAfter > 0 {
		facts = append(facts, words.waits.With(c.row.RetryAfter).In(lang))
	}
	return facts
}

// exampleNames stand in paths of examples.
var exampleNames = strings.NewReplacer("{order_no}", "20260314-0001842", "{claim_no}", "C20260320-0000417", "{qna_id}", "0195a2e4-7d10-7c55-8f3b-2b9e4c6a1d07")

// request is a call that can be refused like that, as it is sent; empty where the document knows none.
func (c *code) request() string {
	if c.example.Path == "" {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\nX-Api-Key: vpk_test_…\n", c.example.Method, exampleNames.Replace(c.example.Path))
	if c.example.Method == http.MethodPost {
		b.WriteString("Idempotency-Key: 5f0c6a52-8f7e-4d0e-9d0b-3f3a1f2b7c11\n")
	}
	if c.example.Request != "" {
		b.WriteString("Content-Type: application/json\n\n" + c.example.Request)
	}
	return b.String()
}

// answer is the refusal, with its texts in a language.
func (c *code) answer(lang apierr.Lang) string {
	answer := c.example.Answer
	if lang == apierr.English {
		return answer
	}
	answer = strings.Replace(answer, quoted(c.row.English), quoted(c.row.Korean), 1)
	if c.row.Code == apierr.ValidationError {
		missing, repeated := apierr.IsMissingMeant.With("trackingNo", "tracking_no"), apierr.RepeatedIn.With("item_ids")
		told := apierr.Invalid(apierr.Problem("tracking_no", apierr.FieldRequired, missing), apierr.Problem("item_ids[1]", apierr.FieldRepeated, repeated))
		answer = strings.NewReplacer(
			quoted(told.Message(apierr.English)), quoted(told.Message(lang)),
			quoted(missing.English), quoted(missing.Korean), quoted(repeated.English), quoted(repeated.Korean),
		).Replace(answer)
	}
	return answer
}

// quoted is a text as the document's JSON has it.
func quoted(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text can always be encoded
	return strings.TrimSpace(b.String())
}
