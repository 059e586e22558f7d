package store

// QueryNames returns the names of the statements.
func QueryNames() []string { return queries.Names() }
