// Package docs tests the page that shows the contract, in a handler and in a browser.
package docs
