package order

import "sellerapi.dev/pkg/invalid"

// Contact is the personal data of an order. An empty text is absent: it was not given, or it was deleted.
type Contact struct {
	OrdererName, OrdererPhone     string
	RecipientName, RecipientPhone string
	Zipcode, Address1, Address2   string
	ShipMemo                      string
}

// ContactText is one text of a contact.
type ContactText struct {
	// Name is its name in messages, in responses and in the orders table.
	Name string
	// Kind defines the valid values, if it is given.
	Kind invalid.Text
	// Of returns a pointer to it in a contact.
	Of func(*Contact) *string
}

// contactTexts are all texts of a contact. This table drives checking, digests, storage, reading and deletion; add new ones at
// its end.
var contactTexts = []ContactText{
	{"orderer_name", invalid.PersonName, func(c *Contact) *string { return &c.OrdererName }},
	{"orderer_phone", invalid.Phone, func(c *Contact) *string { return &c.OrdererPhone }},
	{"recipient_name", invalid.PersonName, func(c *Contact) *string { return &c.RecipientName }},
	{"recipient_phone", invalid.Phone, func(c *Contact) *string { return &c.RecipientPhone }},
	{"zipcode", invalid.Zipcode, func(c *Contact) *string { return &c.Zipcode }},
	{"address1", invalid.Address, func(c *Contact) *string { return &c.Address1 }},
	{"address2", invalid.Address, func(c *Contact) *string { return &c.Address2 }},
	{"ship_memo", invalid.DeliveryMemo, func(c *Contact) *string { return &c.ShipMemo }},
}

// ContactTexts returns the texts of a contact in the order of their columns. The caller must not modify the result.
func ContactTexts() []ContactText { return contactTexts }
