package render

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi/guides"
)

// writer turns Markdown into HTML; HTML in it is left out.
var writer = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

type document struct {
	title string
	body  template.HTML
}

var (
	firstHeading = regexp.MustCompile(`(?s)^<h1[^>]*>(.*?)</h1>\n?`)
	anyTag       = regexp.MustCompile(`<[^>]*>`)
	fileLink     = regexp.MustCompile(`href="([a-z]+)\.md(#[a-z0-9_]+)?"`)
	pictureImage = regexp.MustCompile(`<p><img src="\.\./(pictures/[a-z]+\.svg)" alt="([^"]*)"></p>`)
)

func markdown(lang apierr.Lang, text []byte) (document, error) {
	var out bytes.Buffer
	if err := writer.Convert(text, &out); err != nil {
		return document{}, err
	}
	body, err := withPictures(lang, out.String())
	if err != nil {
		return document{}, err
	}
	body = withPrograms(lang, body)
	body = fileLink.ReplaceAllStringFunc(body, func(link string) string { return siteLink(lang, link) })
	body = strings.NewReplacer(
		`href="/docs/reference"`, `href="`+at(lang, "reference")+`"`,
		"<table>", scrolling(lang)+"<table>", "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`, "<li>[ ] ", `<li class="todo">`, "<th>", `<th scope="col">`,
	).Replace(body)
	title := firstHeading.FindStringSubmatch(body)
	if title == nil {
		return document{body: template.HTML(body)}, nil //nolint:gosec // made of files of the program, in which HTML is left out
	}
	return document{
		title: html.UnescapeString(anyTag.ReplaceAllString(title[1], "")),
		body:  template.HTML(firstHeading.ReplaceAllString(body, "")), //nolint:gosec // as above
	}, nil
}

// scrolling opens what lets a wide table move within a narrow page, by keyboard too.
func scrolling(lang apierr.Lang) string {
	return `<div class="wide" role="group" tabindex="0" aria-label="` + layoutWords["table"].In(lang) + `">`
}

// siteLink turns a link to a file beside the text into one to its page; a heading of the file of errors is the page of its code.
func siteLink(lang apierr.Lang, link string) string {
	parts := fileLink.FindStringSubmatch(link)
	slug, heading := parts[1], parts[2]
	if slug == "errors" && heading != "" {
		return `href="` + at(lang, slug+"/"+strings.ToUpper(heading[1:])) + `"`
	}
	return `href="` + at(lang, slug) + heading + `"`
}

// withPictures puts pictures into the page, where they take its colours and its language.
func withPictures(lang apierr.Lang, body string) (string, error) {
	var failed error
	body = pictureImage.ReplaceAllStringFunc(body, func(image string) string {
		parts := pictureImage.FindStringSubmatch(image)
		picture, err := fs.ReadFile(guides.Files, parts[1])
		if err != nil {
			failed = fmt.Errorf("read a picture: %w", err)
		}
		head := `<svg role="img" aria-label="` + parts[2] + `" `
		return `<div class="picture" tabindex="0" role="group" aria-label="` + parts[2] + `">` +
			strings.Replace(inLanguage(lang, string(picture)), "<svg ", head, 1) + `</div>`
	})
	return body, failed
}

func guide(lang apierr.Lang, name string) (document, error) {
	text, err := fs.ReadFile(guides.Files, lang.String()+"/"+name+".md")
	if err != nil {
		return document{}, err
	}
	return markdown(lang, text)
}
