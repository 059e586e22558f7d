package market

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

const productsPerSeller = 40

type category struct {
	name                       string
	priceLow, priceHigh        int64
	firstAxis, secondAxis      []string
	qualities, things, endings []string
}

type product struct {
	id, name             string
	listPrice, unitPrice int64
	of                   *category
}

func (t *tables) addCategory(cells []string) error {
	numbers, err := atois(cells[1:4])
	if err != nil {
		return err
	}
	t.categories.add(&category{
		name: cells[0], priceLow: int64(numbers[1]), priceHigh: int64(numbers[2]),
		firstAxis: axis(cells[4]), secondAxis: axis(cells[5]),
	}, numbers[0])
	return nil
}

func axis(cell string) []string {
	if cell == "-" {
		return nil
	}
	return strings.Split(cell, "|")
}

func (t *tables) addProducts(cells []string) error {
	for _, of := range t.categories.rows {
		if of.name == cells[0] {
			of.qualities, of.things, of.endings = axis(cells[1]), axis(cells[2]), axis(cells[3])
			return nil
		}
	}
	return errors.New("products of an unknown category " + strconv.Quote(cells[0]))
}

// Sellers generates n sellers with shop names, ids and their shares of the trade: a few large
// ones and many small ones. The same seed generates the same sellers; a larger n does not
// change the first ones.
func Sellers(seed uint64, n int) ([]Seller, error) {
	t, err := load()
	if err != nil {
		return nil, err
	}
	sellers := make([]Seller, n)
	for i := range sellers {
		d := newDraw(seed, "seller", i)
		sellers[i] = Seller{
			ID:    uuid.Must(uuid.NewRandomFromReader(d.bytes())).String(),
			Name:  one(d, t.shopFirst) + one(d, t.shopLast),
			Share: max(1, 100/(i+1)),
		}
	}
	return sellers, nil
}

// shop is what a seller sells, and the amount from which it ships free of charge.
type shop struct {
	products         []product
	freeShippingFrom int64
}

func (m *Market) shop(number int) shop {
	d := newDraw(m.plan.Seed, "shop", number)
	free := int64(m.share(d, "free shipping from"))
	main, side := pick(d, m.tables.categories), pick(d, m.tables.categories)
	products := make([]product, productsPerSeller)
	for i := range products {
		of := main
		if i%4 == 3 {
			of = side
		}
		products[i] = m.product(d, of)
	}
	return shop{products, free}
}

func (m *Market) product(d draw, of *category) product {
	unit := d.price(of.priceLow, of.priceHigh)
	markup := int64(m.share(d, "markup percent"))
	name := one(d, of.qualities) + " " + one(d, of.things)
	if d.IntN(3) == 0 {
		name += " " + one(d, of.endings)
	}
	return product{
		id:        uuid.Must(uuid.NewRandomFromReader(d.bytes())).String(),
		name:      name,
		unitPrice: unit,
		listPrice: unit + unit*markup/100/100*100,
		of:        of,
	}
}

func (of *category) option(d draw) string {
	switch {
	case len(of.firstAxis) == 0:
		return "기본"
	case len(of.secondAxis) == 0:
		return one(d, of.firstAxis)
	}
	return fmt.Sprintf("%s / %s", one(d, of.firstAxis), one(d, of.secondAxis))
}
