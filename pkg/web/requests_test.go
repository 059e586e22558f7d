package web_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
)

func requestWithQuery(raw string) *http.Request {
	return &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/", RawQuery: raw}, Header: http.Header{}}
}

func requestWithBody(raw []byte) *http.Request {
	return &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: "/"}, Header: http.Header{},
		Body: io.NopCloser(bytes.NewReader(raw)), ContentLength: -1,
	}
}
