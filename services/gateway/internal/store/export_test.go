package store

// QueryNames are the names of the statements.
func QueryNames() []string { return queries.Names() }
