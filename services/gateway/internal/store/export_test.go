package store

// QueryNames returns the names of the statements.
func QueryNames() []string { return queries.Names() }

// KeepRequestDays is the sweep of RequestDays at a time.
var KeepRequestDays = (*Store).keepRequestDays
