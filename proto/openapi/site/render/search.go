package render

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
)

// synonyms are words of the trade that mean the same, in both languages, as people search for them.
var synonyms = [][]string{
	{"송장", "송장번호", "운송장", "tracking_no", "tracking", "waybill", "invoice"},
	{"택배", "택배사", "carrier", "courier"},
	{"발송", "출고", "배송", "ship", "shipment", "dispatch"},
	{"일괄", "batch", "bulk"},
	{"발주확인", "발주", "상품준비", "preparation", "prepare", "preparing"},
	{"배송완료", "delivery", "delivered"},
	{"주문", "order"},
	{"클레임", "claim"},
	{"취소", "cancel"},
	{"반품", "return"},
	{"교환", "exchange"},
	{"환불", "refund"},
	{"수거", "회수", "pickup", "collect"},
	{"검수", "inspect", "inspection"},
	{"재발송", "reship"},
	{"문의", "상품문의", "qna", "inquiry", "question"},
	{"답변", "answer", "reply"},
	{"멱등", "멱등키", "idempotency", "idempotent"},
	{"재시도", "retry", "retries", "repeat"},
	{"한도", "제한", "호출 한도", "limit", "rate", "throttle", "429", "quota"},
	{"키", "인증", "인증키", "api key", "x-api-key", "token", "bearer", "authentication"},
	{"권한", "scope", "permission"},
	{"오류", "에러", "error"},
	{"웹훅", "알림", "webhook", "notification", "poll"},
	{"커서", "페이지", "cursor", "paging", "pagination"},
	{"동기화", "수집", "사본", "sync", "copy", "poll"},
	{"운영", "전환", "live", "production"},
	{"보관", "보존", "retention"},
}

type entry struct {
	Title string `json:"title"`
	Path  string `json:"path"`
	Text  string `json:"text"`
}

var headings = regexp.MustCompile(`(?s)<h2 id="([^"]*)">(.*?)</h2>`)

func plain(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(anyTag.ReplaceAllString(text, " "))), " ")
}

func (b *build) indexGuide(slug string, text document) {
	body := string(text.body)
	places := headings.FindAllStringSubmatchIndex(body, -1)
	end := len(body)
	if len(places) > 0 {
		end = places[0][0]
	}
	b.index = append(b.index, entry{Title: text.title, Path: at(b.lang, slug), Text: plain(body[:end])})
	for i, place := range places {
		end = len(body)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		title := text.title + " · " + plain(body[place[4]:place[5]])
		b.index = append(b.index, entry{
			Title: title, Path: at(b.lang, slug) + "#" + body[place[2]:place[3]],
			Text: plain(body[place[1]:end]),
		})
	}
}

func (b *build) indexCode(c codePage) {
	text := c.Message + " " + plain(string(c.Happened)) + " " + plain(string(c.Doing))
	b.index = append(b.index, entry{Title: c.Code, Path: at(b.lang, "errors/"+c.Code), Text: text})
}

// indexFacts adds the page of settings without their values, which differ from one installation to another.
func (b *build) indexFacts(facts []fact) {
	var text strings.Builder
	for _, fact := range facts {
		text.WriteString(strings.TrimRight(strings.TrimSuffix(fact.Name, " in "), ", ") + ". ")
	}
	b.index = append(b.index, entry{Title: page{}.titleOf("status", b.lang), Path: at(b.lang, "status"), Text: text.String()})
}

func (b *build) indexReference() error {
	operations, err := map[apierr.Lang]func() ([]openapi.Operation, error){
		apierr.English: openapi.Operations,
		apierr.Korean:  openapi.KoreanOperations,
	}[b.lang]()
	if err != nil {
		return err
	}
	for _, operation := range operations {
		b.index = append(b.index, entry{
			Title: operation.Method + " " + operation.Path, Path: at(b.lang, "reference") + docs.Fragment(operation),
			Text: operation.Summary + " · " + operation.ID + " " + strings.ReplaceAll(operation.ID, "_", " "),
		})
	}
	schemas, err := map[apierr.Lang]func() ([]openapi.Schema, error){
		apierr.English: openapi.Schemas,
		apierr.Korean:  openapi.KoreanSchemas,
	}[b.lang]()
	if err != nil {
		return err
	}
	for _, schema := range schemas {
		if strings.HasSuffix(schema.Name, "Envelope") {
			continue // every answer has the same one
		}
		text := []string{schema.Description}
		for _, property := range schema.Properties {
			text = append(text, strings.TrimSuffix(property.Name+": "+property.Description, ": "))
		}
		b.index = append(b.index, entry{
			Title: words.schema.In(b.lang) + " · " + schema.Name, Path: at(b.lang, "reference") + docs.SchemaFragment(schema),
			Text: strings.TrimSpace(strings.Join(text, " ")),
		})
	}
	return nil
}

// searchFile is the index of a language.
const searchFile = "search.json"

func (b *build) searchable() error {
	if err := b.indexReference(); err != nil {
		return err
	}
	index, err := json.Marshal(map[string]any{"synonyms": synonyms, "entries": b.index})
	b.files[b.lang.String()+"/"+searchFile] = index
	return err
}
