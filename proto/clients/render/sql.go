package render

// columns returns the members of a record that a table of the examples stores: all except lists.
func (c *client) columns(record string) []entry[string] {
	of, _ := c.Records.get(record)
	all := make([]entry[string], 0, len(of.Properties))
	for _, member := range of.Properties {
		_, s := c.d.resolve(member.Value)
		column := "text"
		switch s.kind() {
		case "array":
			continue
		case "integer", "boolean":
			column = "integer"
		}
		if !s.nullable() && !optional(of, member.Name) {
			column += " not null"
		}
		all = append(all, entry[string]{member.Name, column})
	}
	return all
}
