// Package pages is the face of the partner console: its pages in Korean and English, rendered on the server, and the files that
// they load. It knows no session, no RPC and no clock: handlers fill the view models, each a plain struct, and [Render] writes
// the page.
//
// # Words
//
// Every text stands in one table (words.go), in both languages; templates and view models name its rows. A test compares them.
// Text of errors is that of the guides ([sellerapi.dev/proto/openapi/guides]), with the values of the call.
//
// # Safety
//
// Values are escaped by html/template where they stand. Pages load nothing from elsewhere and have no inline script or style
// ([Policy]); they work without a script but for copying, the countdown and the pictures. The text of a key occurs on the page
// [KeyText] and that of a secret on [WebhookSecret], which no cache may keep; without a script both leave by themselves after a
// minute.
//
// # Forms
//
// What is shown is asked for with GET and is an address: [FilterFrom] and [Filter.Query] read and write it. What changes
// something is a POST to one of the paths of paths.go. Field names are the constants beside them.
package pages
