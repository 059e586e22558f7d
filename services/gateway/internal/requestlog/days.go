package requestlog

import "time"

// Day is the partition of a day, which begins at midnight in UTC.
type Day struct {
	Begins time.Time
	Bytes  int64
}

// Limits are what is kept of the log.
type Limits struct {
	// Days is the number of days before today, and Bytes the most of all days together, with indexes. 0: no limit.
	Days  int
	Bytes int64
}

// DayOf returns when the day of a time begins.
func DayOf(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// Ahead are the days that are made in advance.
const Ahead = 2

// Missing returns the days from today on that are not there yet.
func Missing(days []Day, now time.Time) (missing []time.Time) {
	there := map[time.Time]bool{}
	for _, day := range days {
		there[day.Begins.UTC()] = true
	}
	for n := range Ahead + 1 {
		if day := DayOf(now).AddDate(0, 0, n); !there[day] {
			missing = append(missing, day)
		}
	}
	return missing
}

// Excess returns the days that go, of days in order: old ones are over the limit of days, large ones are the oldest of those that
// are left, because all together are over the limit of bytes. Today stays, and what remains over the limit then is over.
func (l Limits) Excess(days []Day, now time.Time) (old, large []Day, over int64) {
	today := DayOf(now)
	var bytes int64
	kept := make([]Day, 0, len(days))
	for _, day := range days {
		if l.Days > 0 && day.Begins.Before(today.AddDate(0, 0, -l.Days)) {
			old = append(old, day)
			continue
		}
		kept = append(kept, day)
		bytes += day.Bytes
	}
	for _, day := range kept {
		if l.Bytes == 0 || bytes <= l.Bytes || !day.Begins.Before(today) {
			break
		}
		large = append(large, day)
		bytes -= day.Bytes
	}
	if l.Bytes > 0 {
		over = max(0, bytes-l.Bytes)
	}
	return old, large, over
}
