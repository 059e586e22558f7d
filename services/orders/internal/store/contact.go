package store

import (
	"fmt"
	"strings"

	"sellerapi.dev/services/orders/internal/order"
)

// contactColumns are what the marks of the statements stand for: the columns of the texts of a contact, in the order of
// order.ContactTexts.
func contactColumns() map[string]string {
	return map[string]string{
		"contact":           eachText(func(name string, _ int) string { return name }),
		"contact of o":      eachText(func(name string, _ int) string { return "o." + name }),
		"contact or null":   eachText(func(name string, _ int) string { return "nullif(o." + name + ", '')" }),
		"contact from $7":   eachText(func(_ string, i int) string { return fmt.Sprintf("$%d::text[]", 7+i) }),
		"contact forgotten": eachText(func(name string, _ int) string { return name + " = null" }),
	}
}

// eachText writes something for each text of a contact, by its name and number.
func eachText(write func(name string, i int) string) string {
	texts := order.ContactTexts()
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = write(text.Name, i)
	}
	return strings.Join(all, ", ")
}
