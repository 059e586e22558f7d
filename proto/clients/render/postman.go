package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// described is the part of the contract that only a collection of requests uses.
type described struct {
	Info struct {
		Title   string `yaml:"title"`
		Summary string `yaml:"summary"`
		Version string `yaml:"version"`
	} `yaml:"info"`
	Tags []struct {
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
	} `yaml:"tags"`
	Paths      map[string]map[string]yaml.Node `yaml:"paths"`
	Components struct {
		Parameters map[string]struct {
			Example any `yaml:"example"`
		} `yaml:"parameters"`
		Examples map[string]struct {
			Value any `yaml:"value"`
		} `yaml:"examples"`
	} `yaml:"components"`
}

type call struct {
	Summary     string `yaml:"summary"`
	Description string `yaml:"description"`
	RequestBody struct {
		Content map[string]struct {
			Examples named[struct {
				Ref string `yaml:"$ref"`
			}] `yaml:"examples"`
		} `yaml:"content"`
	} `yaml:"requestBody"`
}

// The parts of a collection in the format 2.1 of Postman, which other programs can read as well.
type (
	collection struct {
		Info      collectionInfo    `json:"info"`
		Auth      collectionAuth    `json:"auth"`
		Variables []collectionValue `json:"variable"`
		Events    []collectionEvent `json:"event"`
		Folders   []collectionItem  `json:"item"`
	}
	collectionInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Version     string `json:"version"`
		Schema      string `json:"schema"`
	}
	collectionAuth struct {
		Type   string            `json:"type"`
		APIKey []collectionValue `json:"apikey"`
	}
	collectionValue struct {
		Key         string `json:"key"`
		Value       string `json:"value"`
		Type        string `json:"type,omitempty"`
		Description string `json:"description,omitempty"`
		Disabled    bool   `json:"disabled,omitempty"`
	}
	collectionEvent struct {
		Listen string           `json:"listen"`
		Script collectionScript `json:"script"`
	}
	collectionScript struct {
		Type  string   `json:"type"`
		Lines []string `json:"exec"`
	}
	collectionItem struct {
		Name        string             `json:"name"`
		Description string             `json:"description,omitempty"`
		Items       []collectionItem   `json:"item,omitempty"`
		Events      []collectionEvent  `json:"event,omitempty"`
		Request     *collectionRequest `json:"request,omitempty"`
	}
	collectionRequest struct {
		Method      string            `json:"method"`
		Headers     []collectionValue `json:"header"`
		Body        *collectionBody   `json:"body,omitempty"`
		URL         collectionURL     `json:"url"`
		Description string            `json:"description"`
	}
	collectionBody struct {
		Mode string `json:"mode"`
		Raw  string `json:"raw"`
	}
	collectionURL struct {
		Raw       string            `json:"raw"`
		Host      []string          `json:"host"`
		Path      []string          `json:"path"`
		Query     []collectionValue `json:"query,omitempty"`
		Variables []collectionValue `json:"variable,omitempty"`
	}
)

// remembered are the variables that a list sets from its first record, for the requests after it; by operation.
var remembered = map[string]string{
	"list_orders":    `{ order_no: first.order_no, item_id: first.items[0].item_id }`,
	"list_claims":    `{ claim_no: first.claim_no }`,
	"list_inquiries": `{ qna_id: first.qna_id }`,
}

var (
	everyAnswer = []string{
		`const answer = pm.response.json();`,
		`pm.test("the answer is an envelope", () => pm.expect(answer).to.have.all.keys("meta", "data"));`,
		`pm.test("meta.code is the status", () => pm.expect(answer.meta.code).to.equal(pm.response.code));`,
	}
	remember = []string{
		`const page = pm.response.json().data, first = page && page.list[0];`,
		`if (first) for (const [name, value] of Object.entries(%s)) pm.collectionVariables.set(name, value);`,
	}
)

// collectionFile renders the requests of all operations for programs with which people try calls.
func (d *document) collectionFile(contract []byte) ([]byte, error) {
	about := &described{}
	if err := yaml.Unmarshal(contract, about); err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	operations, err := d.operations()
	if err != nil {
		return nil, err
	}
	made := newCollection(about)
	for _, tag := range about.Tags {
		folder := collectionItem{Name: tag.Name, Description: tag.Description}
		for _, o := range operations {
			if o.Tags[0] != tag.Name {
				continue
			}
			item, err := d.collectionItem(about, o)
			if err != nil {
				return nil, fmt.Errorf("render %s: %w", o.ID, err)
			}
			folder.Items = append(folder.Items, item)
		}
		if len(folder.Items) > 0 {
			made.Folders = append(made.Folders, folder)
		}
	}
	return indented(made)
}

// newCollection returns a collection without requests. base_url is an address that the gateway replaces with its own.
func newCollection(about *described) *collection {
	return &collection{
		Info: collectionInfo{
			Name: about.Info.Title, Version: about.Info.Version,
			Schema:      "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
			Description: about.Info.Summary + " Set base_url and api_key; the lists fill the other variables from their first record.",
		},
		Auth: collectionAuth{Type: "apikey", APIKey: []collectionValue{
			{Key: "key", Value: "X-Api-Key", Type: "string"},
			{Key: "value", Value: "{{api_key}}", Type: "string"},
			{Key: "in", Value: "header", Type: "string"},
		}},
		Variables: []collectionValue{
			{Key: "base_url", Value: "https://seller-api.example"},
			{Key: "api_key"},
			{Key: "order_no"},
			{Key: "item_id"},
			{Key: "claim_no"},
			{Key: "qna_id"},
		},
		Events: []collectionEvent{onTest(everyAnswer)},
	}
}

func onTest(lines []string) collectionEvent {
	return collectionEvent{Listen: "test", Script: collectionScript{Type: "text/javascript", Lines: lines}}
}

func (d *document) collectionItem(about *described, o operation) (collectionItem, error) {
	var shown call
	node := about.Paths[o.Path][strings.ToLower(o.Method)]
	if err := node.Decode(&shown); err != nil {
		return collectionItem{}, err
	}
	request := &collectionRequest{
		Method: o.Method, Headers: []collectionValue{}, URL: d.collectionURL(about, o),
		Description: shown.Description,
	}
	if o.takesKey() {
		request.Headers = append(request.Headers, collectionValue{Key: "Idempotency-Key", Value: "{{$guid}}"})
	}
	if examples := shown.RequestBody.Content["application/json"].Examples; len(examples) > 0 {
		text, err := indented(withVariables(about.Components.Examples[last(examples[0].Value.Ref)].Value))
		if err != nil {
			return collectionItem{}, err
		}
		request.Headers = append(request.Headers, collectionValue{Key: "Content-Type", Value: "application/json"})
		request.Body = &collectionBody{Mode: "raw", Raw: strings.TrimSpace(string(text))}
	}
	item := collectionItem{Name: shown.Summary, Request: request}
	if names, isList := remembered[o.ID]; isList {
		item.Events = []collectionEvent{onTest([]string{remember[0], fmt.Sprintf(remember[1], names)})}
	}
	return item, nil
}

// collectionURL returns the address of an operation. Its filters are disabled until the user enables them.
func (d *document) collectionURL(about *described, o operation) collectionURL {
	made := collectionURL{Host: []string{"{{base_url}}"}}
	for part := range strings.SplitSeq(strings.TrimPrefix(o.Path, "/"), "/") {
		if name, isParameter := strings.CutPrefix(part, "{"); isParameter {
			name = strings.TrimSuffix(name, "}")
			made.Variables = append(made.Variables, collectionValue{Key: name, Value: "{{" + name + "}}"})
			part = ":" + name
		}
		made.Path = append(made.Path, part)
	}
	made.Raw = made.Host[0] + "/" + strings.Join(made.Path, "/")
	for _, one := range o.Parameters {
		if p := d.Components.Parameters[last(one.Ref)]; p.In == "query" {
			example := fmt.Sprint(about.Components.Parameters[last(one.Ref)].Example)
			made.Query = append(made.Query, collectionValue{
				Key: p.Name, Value: example,
				Description: strings.TrimSpace(p.Description), Disabled: true,
			})
		}
	}
	return made
}

// withVariables replaces the order and item ids of an example with variables. Of several entries it keeps only the
// first.
func withVariables(example any) any {
	members, isObject := example.(map[string]any)
	if !isObject {
		return example
	}
	for name, value := range members {
		entries, isList := value.([]any)
		switch {
		case name == "order_no":
			members[name] = "{{order_no}}"
		case name == "item_ids":
			members[name] = []string{"{{item_id}}"}
		case isList && len(entries) > 0:
			members[name] = []any{withVariables(entries[0])}
		}
	}
	return members
}

func indented(value any) ([]byte, error) {
	var out bytes.Buffer
	writer := json.NewEncoder(&out)
	writer.SetEscapeHTML(false)
	writer.SetIndent("", "  ")
	err := writer.Encode(value)
	return out.Bytes(), err
}
