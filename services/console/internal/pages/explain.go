package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/proto/openapi/guides"
)

// explanation says in words why a call was answered as it was.
type explanation struct {
	Code            string // the last part of the address of its page in the documentation
	Message         string
	Happened, Doing template.HTML
	Facts           []Fact
}

var adviceOf = map[apierr.Lang]func() (map[string]guides.Advice, error){
	apierr.English: sync.OnceValues(func() (map[string]guides.Advice, error) { return guides.ErrorAdvice("en") }),
	apierr.Korean:  sync.OnceValues(func() (map[string]guides.Advice, error) { return guides.ErrorAdvice("ko") }),
}

// explain returns nil for a call that was not refused, and for a code of which the guides say nothing.
func explain(f Frame, call Call) (*explanation, error) {
	if call.Status < 400 {
		return nil, nil //nolint:nilnil // there is nothing to explain, which is no failure
	}
	all, err := adviceOf[f.Language]()
	if err != nil {
		return nil, err
	}
	code := call.ErrorCode
	if code == "" {
		code = strconv.Itoa(call.Status)
	}
	said, there := all[code]
	if !there {
		return nil, nil //nolint:nilnil // a code of a later version of the gateway
	}
	data := dataOf(call.ErrorData)
	e := explanation{Code: code, Happened: inline(f, said.Happened, data), Doing: inline(f, said.Doing, data)}
	if known, found := apierr.Lookup(code); found {
		e.Message = known.Message(f.Language)
	}
	for _, row := range data {
		if row.Name != "doc_url" && row.Name != "request_id" {
			e.Facts = append(e.Facts, Fact{Name: row.Name, Value: row.text()})
		}
	}
	return &e, nil
}

// member is a member of error_data.
type member struct {
	Name  string
	Value json.RawMessage
}

// dataOf returns the members in their order, nothing for what is no object.
func dataOf(text string) []member {
	decoder := json.NewDecoder(strings.NewReader(text))
	if begin, err := decoder.Token(); err != nil || begin != json.Delim('{') {
		return nil
	}
	var list []member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return list
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return list
		}
		list = append(list, member{Name: fmt.Sprint(name), Value: value})
	}
	return list
}

// text is a string as it is, and any other value as JSON in lines.
func (m member) text() string {
	var text string
	if json.Unmarshal(m.Value, &text) == nil {
		return text
	}
	var wide bytes.Buffer
	if json.Indent(&wide, m.Value, "", "  ") != nil {
		return string(m.Value)
	}
	return wide.String()
}

// scalar reports whether the value fits into a sentence.
func (m member) scalar() bool {
	return !bytes.HasPrefix(m.Value, []byte("[")) && !bytes.HasPrefix(m.Value, []byte("{"))
}

var marked = regexp.MustCompile("\\[([^\\]]*)\\]\\(([^)]*)\\)|`([^`]*)`")

// inline renders the Markdown of a sentence of the guides: code and links. A name that error_data has is followed by its value.
func inline(f Frame, text string, data []member) template.HTML {
	var out strings.Builder
	rest := 0
	for _, at := range marked.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(template.HTMLEscapeString(text[rest:at[0]]))
		if at[6] >= 0 {
			writeCode(&out, text[at[6]:at[7]], data)
		} else {
			writeLink(&out, f, inline(f, text[at[2]:at[3]], nil), text[at[4]:at[5]])
		}
		rest = at[1]
	}
	out.WriteString(template.HTMLEscapeString(text[rest:]))
	return template.HTML(out.String()) //nolint:gosec // every part is escaped
}

func writeCode(out *strings.Builder, name string, data []member) {
	fmt.Fprintf(out, "<code>%s</code>", template.HTMLEscapeString(name))
	for _, row := range data {
		if row.Name == strings.TrimPrefix(name, "error_data.") && row.scalar() {
			fmt.Fprintf(out, ` <span class="here">%s</span>`, template.HTMLEscapeString(row.text()))
		}
	}
}

// writeLink writes a link to another guide, or its text where the frame knows no documentation.
func writeLink(out *strings.Builder, f Frame, label template.HTML, target string) {
	if f.Docs == "" {
		out.WriteString(string(label))
		return
	}
	name := strings.TrimSuffix(strings.TrimPrefix(target, "/docs/"), ".md")
	fmt.Fprintf(out, `<a href="%s">%s</a>`, template.HTMLEscapeString(docs(f, name)), label)
}

// docs is the address of a page of the documentation in the language of the frame.
func docs(f Frame, name string) string { return f.Docs + "/docs/" + f.Language.String() + "/" + name }

// firstCall is a command with a call that a key with these scopes may make; the script puts the key of the page in the place of
// {key}. Empty without the address of the gateway.
func firstCall(f Frame, scopes []string) string {
	if f.Docs == "" {
		return ""
	}
	path := ""
	for _, op := range operation.All() {
		if op.Method == http.MethodGet && !strings.Contains(op.Path, "{") &&
			(op.Scope == "" || slices.Contains(scopes, string(op.Scope))) {
			path = op.Path
			break
		}
	}
	return "curl -H 'X-Api-Key: {key}' '" + f.Docs + path + "?limit=1'"
}
