package render

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"path"
	"slices"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"
)

//go:embed *.tmpl
var templates embed.FS

// Files renders the files of all clients from the text of the contract, by their paths under proto/clients.
func Files(contract []byte) (map[string][]byte, error) {
	d := &document{}
	if err := yaml.Unmarshal(contract, d); err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	c, err := d.client()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for file, name := range map[string]string{
		"go/contract.go": "contract.go.tmpl", "go/operations.go": "operations.go.tmpl",
		"ts/src/contract.ts": "contract.ts.tmpl", "ts/src/operations.ts": "operations.ts.tmpl",
		"python/src/sellerapi/contract.py": "contract.py.tmpl", "python/src/sellerapi/operations.py": "operations.py.tmpl",
		"cli/example/mirror/schema.sql": "schema.sql.tmpl", "ts/example/schema.sql": "schema.sql.tmpl",
		"python/example/schema.sql": "schema.sql.tmpl", "go/carriernames.go": "carriers.go.tmpl",
		"ts/src/carriers.ts":               "carriers.ts.tmpl",
		"python/src/sellerapi/carriers.py": "carriers.py.tmpl",
	} {
		if files[file], err = c.render(name); err != nil {
			return nil, fmt.Errorf("render %s: %w", file, err)
		}
	}
	if files["postman/"+collectionName], err = d.collectionFile(contract); err != nil {
		return nil, fmt.Errorf("render the collection: %w", err)
	}
	return files, nil
}

// collectionName is the file of the collection of requests; package postman serves it.
const collectionName = "seller-open-api.postman_collection.json"

type client struct {
	d          *document
	Operations []operation
	Lists      []list
	// Codes are the codes of failures; BatchCodes are those of the entries of a batch, BatchOnly those that only occur there.
	Codes, BatchCodes, BatchOnly []string
	Records, Pages               named[schema]
	// OtherNames are the names of the carriers in other systems.
	OtherNames named[[]string]
	// Numbers are what is known of the tracking numbers of the carriers.
	Numbers named[numbers]
	Filters []filter
}

type filter struct {
	// Element is the type of the list's elements, Plural the word for several of them.
	Element, Plural string
	Parameters      []parameter
	// Forward reports whether the list can be read with after.
	Forward bool
}

func (d *document) client() (*client, error) {
	operations, err := d.operations()
	if err != nil {
		return nil, err
	}
	c := &client{d: d, Operations: operations, Lists: slices.Clone(lists)}
	for i := range c.Lists {
		found, there := d.at(c.Lists[i].At)
		if !there {
			return nil, fmt.Errorf("the contract has no %s", c.Lists[i].At)
		}
		c.Lists[i].Values = found.values()
	}
	codes, _ := d.at("ErrorCode")
	entries, _ := d.at("FailedEntry.error_code")
	c.Codes, c.BatchCodes = codes.values(), entries.values()
	carriers, _ := d.at("CarrierName")
	c.OtherNames, c.Numbers = carriers.OtherNames, carriers.Numbers
	c.BatchOnly = slices.DeleteFunc(slices.Clone(c.BatchCodes), func(code string) bool { return slices.Contains(c.Codes, code) })
	for _, one := range d.Components.Schemas {
		switch {
		case one.Value.page():
			c.Pages = append(c.Pages, one)
		case one.Value.record(one.Name) && one.Value.Description == "":
			return nil, fmt.Errorf("the schema %s has no description", one.Name)
		case one.Value.record(one.Name):
			c.Records = append(c.Records, one)
		}
	}
	for _, o := range operations {
		if element := d.listed(o); element != "" {
			parameters := d.query(o)
			forward := slices.ContainsFunc(parameters, func(p parameter) bool { return p.Name == "after" })
			c.Filters = append(c.Filters, filter{element, strings.TrimPrefix(o.ID, "list_"), parameters, forward})
		}
	}
	return c, nil
}

// at returns a schema, or a member of one, whose name is written with a dot.
func (d *document) at(name string) (schema, bool) {
	name, member, isMember := strings.Cut(name, ".")
	found, there := d.Components.Schemas.get(name)
	if isMember {
		found, there = found.Properties.get(member)
	}
	return found, there
}

func (d *document) query(o operation) []parameter {
	var all []parameter
	for _, one := range o.Parameters {
		if described := d.Components.Parameters[last(one.Ref)]; described.In == "query" {
			all = append(all, described)
		}
	}
	return all
}

// listOf returns the named list that has these values; nil if there is none.
func (c *client) listOf(values []string) *list {
	for i := range c.Lists {
		if sameValues(c.Lists[i].Values, values) {
			return &c.Lists[i]
		}
	}
	return nil
}

func (c *client) render(name string) ([]byte, error) {
	ts, py := c.typeScript(), c.python()
	made, err := template.New(name).Funcs(template.FuncMap{
		"comment": comment, "remark": remark, "lower": lower, "upper": upper, "goName": goName, "methodName": methodName,
		"about": c.d.about, "goType": c.goType, "goParameter": c.goParameter, "goTag": goTag,
		"tsType": ts.typeOf, "tsParameter": ts.parameter, "tsUnion": tsUnion, "optional": optional, "text": tsDoc, "columns": c.columns,
		"pyType": py.typeOf, "pyParameter": py.parameter, "pyLiteral": pyLiteral, "pyDoc": pyDoc, "pyBase": pyBase,
		"pyParents": pyParents,
		"pyMembers": pyMembers, "pyOwn": pyOwn, "upperCase": upperCase, "small": strings.ToLower,
	}).ParseFS(templates, name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := made.Execute(&out, c); err != nil {
		return nil, err
	}
	switch path.Ext(strings.TrimSuffix(name, ".tmpl")) {
	case ".go":
		return format.Source(out.Bytes())
	case ".py":
		return pyBlank(out.Bytes()), nil
	default:
		return bytes.ReplaceAll(out.Bytes(), []byte(" \n"), []byte("\n")), nil
	}
}

func optional(of schema, member string) bool { return !slices.Contains(of.Required, member) }
