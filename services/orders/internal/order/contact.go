package order

import "sellerapi.dev/pkg/invalid"

// Contact is the personal data of an order. An empty text is none: none was given, or the member withdrew.
type Contact struct {
	OrdererName, OrdererPhone     string
	RecipientName, RecipientPhone string
	Zipcode, Address1, Address2   string
	ShipMemo                      string
}

// ContactText is one text of a contact.
type ContactText struct {
	// Name is what messages, answers and the table of orders call it.
	Name string
	// Kind is what it may be, where it is given.
	Kind invalid.Text
	// Of finds it in a contact.
	Of func(*Contact) *string
}

// contactTexts are all texts of a contact. They are checked, digested, stored, read and forgotten by this table: a new one is a row
// at its end.
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

// ContactTexts returns the texts of a contact in the order of their columns. It is not to be changed.
func ContactTexts() []ContactText { return contactTexts }
