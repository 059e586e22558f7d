// Package e2e tests the whole system against the specification: client, gateway, services, PostgreSQL and
// Redis, all real, through the public interface alone. There is one file for each part of the specification,
// and each test uses sellers of its own, so that all tests run in parallel.
package e2e
