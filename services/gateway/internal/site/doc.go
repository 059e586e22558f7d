// Package site is what developers read in a browser under /docs: the guides, a page for every error code, what this installation
// is set to, all in English and Korean, and the way to the reference.
//
// Programs that do the same in several languages stand behind tabs, which the script makes: without it all of them are shown.
//
// It is made from the files beside the contract, from the error table and from the settings, when the first reader comes: most
// instances have none. From then on every page is served compressed from memory, with a tag, under a policy that lets it load
// nothing from elsewhere and run no script but its own.
//
// A path without a language, such as /docs/errors/RATE_LIMITED, is answered in the one that the browser asks for; /docs/ko/… and
// /docs/en/… always in theirs. Where the interface refuses a call, error_data.doc_url is a path without a language.
//
// The site is not part of the interface: it has no envelope, and programs may not rely on its form.
package site
