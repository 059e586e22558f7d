// Package e2e holds the specification against the whole system: client, gateway, services, PostgreSQL and
// Redis, all real, through the public interface alone. There is one file for each part of the
// specification, and each test works with sellers of its own, so that all run side by side.
package e2e
