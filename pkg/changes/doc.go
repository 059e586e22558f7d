// Package changes is what the services' RPC services named Changes have in common: the marketplace reads a seller's list of the
// public interface in the order of the changes, with the records and positions of that list, and learns which sellers have
// changed.
package changes
