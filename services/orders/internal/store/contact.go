package store

import (
	"strings"

	"sellerapi.dev/services/orders/internal/order"
)

// contactColumns returns the replacements of the placeholders in the statements: the columns of the texts of a contact, in the
// order of order.ContactTexts.
func contactColumns() map[string]string {
	return map[string]string{
		"contact of o":      eachText(func(name string) string { return "o." + name }),
		"contact forgotten": eachText(func(name string) string { return name + " = null" }),
	}
}

func eachText(write func(name string) string) string {
	texts := order.ContactTexts()
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = write(text.Name)
	}
	return strings.Join(all, ", ")
}
