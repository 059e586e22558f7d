// Package site is what developers read in a browser under /docs: the guides, a page for every error code, what this installation
// is set to, all in English and Korean, and the way to the reference.
//
// Package render makes the pages of the files beside the contract and of the error table; pages has them as they are served:
// compressed, with a tag, under a policy that lets them load nothing from elsewhere and run no script but their own. They show
// the published settings. Where an installation has others, settings.js puts those of settings.json in their places.
//
// Programs that do the same in several languages stand behind tabs, which site.js makes: without it all of them are shown.
//
// A path without a language, such as /docs/errors/RATE_LIMITED, is answered in the one that the browser asks for; /docs/ko/… and
// /docs/en/… always in theirs. Where the interface refuses a call, error_data.doc_url is a path without a language.
//
// The site is not part of the interface: it has no envelope, and programs may not rely on its form.
package site
