package render

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi/guides"
)

type codePage struct {
	Code            string
	Facts           []string
	Message         string
	Happened, Doing template.HTML
	Request, Answer string
}

type code struct {
	row     apierr.Row
	example guides.Failure
}

func (c *code) name() string { return c.row.Code.Page() }

func codes() ([]code, error) {
	recorded, err := guides.Failures()
	if err != nil {
		return nil, err
	}
	examples := map[string]guides.Failure{}
	for _, example := range recorded {
		examples[example.Code] = example
	}
	var list []code
	for _, row := range apierr.Codes() {
		list = append(list, code{row: row, example: examples[row.Code.Page()]})
	}
	return list, nil
}

// advice is what the guides of a language say about the codes, by the name of the page.
func advice(lang apierr.Lang) (map[string][2]document, error) {
	said, err := guides.ErrorAdvice(lang.String())
	if err != nil {
		return nil, err
	}
	all := make(map[string][2]document, len(said))
	for name, advice := range said {
		var both [2]document
		for i, part := range []string{advice.Happened, advice.Doing} {
			if both[i], err = markdown(lang, []byte(part)); err != nil {
				return nil, err
			}
		}
		all[name] = both
	}
	return all, nil
}

func (c *code) page(lang apierr.Lang, said [2]document) (codePage, error) {
	request, err := c.request(lang)
	if err != nil {
		return codePage{}, err
	}
	answer, err := readable(c.example.Answer[lang.String()])
	return codePage{
		Code: c.name(), Facts: c.facts(lang), Message: c.row.Code.Message(lang), Happened: said[0].body, Doing: said[1].body,
		Request: request, Answer: answer,
	}, err
}

func (c *code) facts(lang apierr.Lang) []string {
	facts := []string{"HTTP " + strconv.Itoa(c.row.Status)}
	if c.row.Unpublished {
		facts = append(facts, words.without.In(lang))
	}
	switch {
	case c.row.Batch && c.row.Status == http.StatusOK:
		facts = append(facts, words.onlyInBatch.In(lang))
	case c.row.Batch:
		facts = append(facts, words.inBatch.In(lang))
	}
	if c.row.Stored {
		facts = append(facts, words.kept.In(lang))
	}
	if c.row.RetryAfter > 0 {
		facts = append(facts, "Retry-After")
	}
	return facts
}

// request is the recorded call as it was sent; empty where no client can get the failure.
func (c *code) request(lang apierr.Lang) (string, error) {
	if c.example.Path == "" {
		return "", nil
	}
	lines := append([]string{c.example.Method + " " + c.example.Path}, c.example.Headers...)
	if lang != apierr.English {
		lines = append(lines, "Accept-Language: "+lang.String())
	}
	body, err := readable(c.example.Body)
	if err != nil {
		return "", err
	}
	if body != "" {
		lines = append(lines, "", body)
	}
	return strings.Join(lines, "\n"), nil
}

// readable is a recorded body for people: JSON in lines, anything else as it was.
func readable(body json.RawMessage) (string, error) {
	if len(body) == 0 {
		return "", nil
	}
	var text string
	if json.Unmarshal(body, &text) == nil {
		return text, nil
	}
	var wide bytes.Buffer
	if err := json.Indent(&wide, body, "", "  "); err != nil {
		return "", err
	}
	return wide.String(), nil
}
