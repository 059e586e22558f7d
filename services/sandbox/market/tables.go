package market

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed words/*.tsv
var words embed.FS

type tables struct {
	surnames   weighted[string]
	given      []string
	districts  weighted[district]
	units      weighted[string]
	memos      weighted[string]
	logistics  weighted[string]
	carriers   weighted[carrier]
	stories    weighted[story]
	ages       weighted[ageBand]
	categories weighted[*category]
	questions  weighted[question]
	claims     []claimStory
	reasons    map[string]weighted[string]
	remarks    map[string]weighted[string]
	shopFirst  []string
	shopLast   []string
	shares     map[string]weighted[int]
}

type district struct {
	name             string
	zipFrom, zipUpTo int
	roads            []string
}

type carrier struct{ name, pattern string }

type ageBand struct{ from, upTo time.Duration }

// load reads the tables once; they are part of the program, so an error in them is a mistake in
// the program and every fill reports it.
var load = sync.OnceValues(readTables)

func readTables() (*tables, error) {
	t := &tables{shares: map[string]weighted[int]{}, reasons: map[string]weighted[string]{}, remarks: map[string]weighted[string]{}}
	readers := []struct {
		file    string
		columns int
		row     func(cells []string) error
	}{
		{"surnames", 2, func(c []string) error { return addText(&t.surnames, c) }},
		{"given", 1, func(c []string) error { t.given = append(t.given, c[0]); return nil }},
		{"districts", 5, t.addDistrict},
		{"units", 2, func(c []string) error { return addText(&t.units, c) }},
		{"memos", 2, func(c []string) error { return addText(&t.memos, c) }},
		{"logistics", 2, func(c []string) error { return addText(&t.logistics, c) }},
		{"carriers", 3, t.addCarrier},
		{"stories", 3, t.addStory},
		{"ages", 3, t.addAge},
		{"categories", 6, t.addCategory},
		{"products", 4, t.addProducts},
		{"shops", 2, t.addShops},
		{"shares", 2, t.addShare},
		{"questions", 3, t.addQuestion},
		{"claims", 6, t.addClaim},
		{"reasons", 4, t.addReason},
		{"remarks", 3, t.addRemark},
	}
	for _, r := range readers {
		if err := eachRow(r.file, r.columns, r.row); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// eachRow calls row with the cells of every line of a table; # starts a comment line.
func eachRow(file string, columns int, row func(cells []string) error) error {
	text, err := words.ReadFile("words/" + file + ".tsv")
	if err != nil {
		return fmt.Errorf("words of the marketplace: %w", err)
	}
	for number, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != columns {
			return fmt.Errorf("words/%s.tsv line %d: %d columns, want %d", file, number+1, len(cells), columns)
		}
		if err := row(cells); err != nil {
			return fmt.Errorf("words/%s.tsv line %d: %w", file, number+1, err)
		}
	}
	return nil
}

// addText adds a row with a text and its weight; a single dash stands for an empty text.
func addText(table *weighted[string], cells []string) error {
	weight, err := strconv.Atoi(cells[1])
	if err != nil {
		return err
	}
	if cells[0] == "-" {
		cells[0] = ""
	}
	table.add(cells[0], weight)
	return nil
}

func (t *tables) addDistrict(cells []string) error {
	numbers, err := atois(cells[1:4])
	if err != nil {
		return err
	}
	t.districts.add(district{cells[0], numbers[0], numbers[1], strings.Split(cells[4], "|")}, numbers[2])
	return nil
}

func (t *tables) addCarrier(cells []string) error {
	weight, err := strconv.Atoi(cells[1])
	if err != nil {
		return err
	}
	t.carriers.add(carrier{name: cells[0], pattern: cells[2]}, weight)
	return nil
}

func (t *tables) addAge(cells []string) error {
	from, errFrom := time.ParseDuration(cells[0])
	to, errTo := time.ParseDuration(cells[1])
	share, errShare := strconv.Atoi(cells[2])
	t.ages.add(ageBand{from, to}, share)
	return firstOf(errFrom, errTo, errShare)
}

func (t *tables) addShops(cells []string) error {
	parts := strings.Split(cells[1], "|")
	if cells[0] == "first" {
		t.shopFirst = parts
	} else {
		t.shopLast = parts
	}
	return nil
}

func (t *tables) addShare(cells []string) error {
	var share weighted[int]
	for pair := range strings.FieldsSeq(cells[1]) {
		numbers, err := atois(strings.SplitN(pair, ":", 2))
		if err != nil {
			return err
		}
		share.add(numbers[0], numbers[1])
	}
	t.shares[cells[0]] = share
	return nil
}

func atois(texts []string) ([]int, error) {
	numbers := make([]int, len(texts))
	for i, text := range texts {
		number, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		numbers[i] = number
	}
	return numbers, nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
