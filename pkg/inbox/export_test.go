package inbox

// QueryNames returns the names of all statements.
func QueryNames() []string { return queries.Names() }
