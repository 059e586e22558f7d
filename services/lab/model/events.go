package model

import "cmp"

func (m *Model) claimEvent(op Op, happen func(c *Claim) Reply) Reply {
	c := m.Claims[op.Claim]
	if c == nil {
		return refuse(statusMissing, "CLAIM_NOT_FOUND")
	}
	return happen(c)
}

func (m *Model) standing(c *Claim, name string) Reply {
	no := c.No
	return m.told(func(m *Model) []Object { return []Object{{name: m.statusOf(m.Claims[no])}} })
}

func (m *Model) withdraw(op Op, id int) Reply {
	return m.claimEvent(op, func(c *Claim) Reply {
		switch {
		case c.Status == Withdrawn:
			return m.standing(c, "status")
		case c.Type == Cancel || !set(PaymentPending, Requested, Approved)[c.Status]:
			return refuse(statusNo, unresolved)
		}
		m.free(c)
		m.end(c, Withdrawn, at(id, atClaim))
		m.changed(c)
		return m.standing(c, "status")
	})
}

func (m *Model) hold(op Op, _ int) Reply {
	return m.claimEvent(op, func(c *Claim) Reply {
		switch c.Status {
		case Inspecting:
			return m.standing(c, "status")
		case Collected:
			c.Status, c.InspectionFrom = Inspecting, moment{}
			m.changed(c)
			return m.standing(c, "status")
		default:
			return refuse(statusNo, unresolved)
		}
	})
}

// freezeCodes holds the codes of freezes that a seller may see; an empty code means other.
var freezeCodes = map[string]string{
	"dispute": "dispute", "fraud_check": "fraud_check", "payment_check": "payment_check", otherFreeze: otherFreeze, "": otherFreeze,
}

const otherFreeze = "other"

func (m *Model) freeze(op Op, id int) Reply {
	code, known := freezeCodes[op.Code]
	if !known {
		return refuse(statusInvalid, "VALIDATION_ERROR")
	}
	return m.claimEvent(op, func(c *Claim) Reply {
		switch {
		case c.Frozen:
			return done(Object{})
		case claimEnded[c.Status] && (!m.slow || !m.ending[c.No]):
			return refuse(statusNo, unresolved)
		}
		c.Frozen, c.FrozenBy, c.FreezeCode = true, id, code
		m.changed(c)
		return done(Object{})
	})
}

// unfreeze undoes freeze. Deadlines are extended by the length of the freeze.
func (m *Model) unfreeze(op Op, id int) Reply {
	return m.claimEvent(op, func(c *Claim) Reply {
		if c.Frozen {
			c.Frozen = false
			c.PaymentFrom, c.InspectionFrom = c.PaymentFrom.later(c.FrozenBy, id), c.InspectionFrom.later(c.FrozenBy, id)
			m.changed(c)
		}
		return done(Object{})
	})
}

// payShortfall records the customer's payment. A payment after the end of the claim is returned.
func (m *Model) payShortfall(op Op, _ int) Reply {
	if op.Amount < 1 {
		return refuse(statusInvalid, "VALIDATION_ERROR")
	}
	return m.claimEvent(op, func(c *Claim) Reply {
		switch {
		case c.Money.ShortfallPayment == op.Payment:
			return m.standing(c, "status")
		case c.Money.ShortfallPayment != 0:
			return refuse(statusNo, unresolved)
		case op.Amount != c.Money.Shortfall:
			return refuse(statusInvalid, "VALIDATION_ERROR")
		}
		c.Money.ShortfallPaid, c.Money.ShortfallPayment = op.Amount, op.Payment
		if claimEnded[c.Status] {
			m.returnShortfall(c)
		} else {
			c.Status = Requested
		}
		m.changed(c)
		return m.standing(c, "status")
	})
}

func (m *Model) refundPaid(op Op, id int) Reply {
	c := m.Claims[op.Claim]
	if c == nil || !c.askedFor("refund") {
		return refuse(statusMissing, "CLAIM_NOT_FOUND")
	}
	c.Manual, c.Later = false, false
	if c.Status == RefundProcessing {
		m.complete(c, id)
		m.changed(c)
	}
	return m.standing(c, "claim_status")
}

// refundFailed handles the provider's report that a refund has failed, which no seller sees. It has no effect on a refund
// that is paid.
func (m *Model) refundFailed(op Op, _ int) Reply {
	c := m.Claims[op.Claim]
	if c == nil || !c.askedFor("refund") {
		return refuse(statusMissing, "CLAIM_NOT_FOUND")
	}
	c.Manual = c.Manual || op.Last && c.Later
	return m.standing(c, "claim_status")
}

// retryRefund requests a refund that a person has taken over once more from the provider.
func (m *Model) retryRefund(op Op, id int) Reply {
	return m.claimEvent(op, func(c *Claim) Reply {
		if !c.Manual {
			return m.standing(c, "claim_status")
		}
		c.Manual, c.Later = false, op.Fails
		if c.Status == RefundProcessing && !c.Later {
			m.complete(c, id)
			m.changed(c)
		}
		return m.standing(c, "claim_status")
	})
}

// cancelReshipment cancels a registered reshipment. A repetition succeeds until another one has shipped.
func (m *Model) cancelReshipment(op Op, _ int) Reply {
	return m.claimEvent(op, func(c *Claim) Reply {
		switch {
		case c.Registered != nil:
			c.Registered, c.Canceled = nil, true
			m.changed(c)
		case m.slow && m.ending[c.No] && c.Status == Completed:
			return refuse(statusNo, refusals[Reship]) // it has shipped, and its claim is about to show that
		case !c.Canceled:
			return refuse(statusNo, unresolved)
		}
		return m.standing(c, "status")
	})
}

// passDeadline handles a deadline that passes: a claim that waits for a payment expires, and the goods of a return pass the
// inspection. If the lines have changed so that the claim cannot complete, it is frozen until an operator acts, since there
// is no caller to refuse. A frozen claim keeps waiting.
func (m *Model) passDeadline(op Op, id int) Reply {
	if m.Claims[op.Claim] == nil {
		return done(Object{})
	}
	return m.claimEvent(op, func(c *Claim) Reply {
		switch {
		case c.Frozen:
			return done(Object{})
		case c.Status == PaymentPending:
			m.free(c)
			m.end(c, Expired, at(id, atClaim))
		case c.InspectionFrom == moment{}:
			return done(Object{})
		case m.unfit(c):
			c.Frozen, c.FrozenBy, c.FreezeCode = true, id, otherFreeze
		default:
			c.Done = append(c.Done, Evidence{Action: Inspect, Result: pass})
			m.payOut(c, id)
		}
		m.changed(c)
		return done(Object{})
	})
}

func (c *Claim) askedFor(kind string) bool {
	for _, payout := range c.Asked {
		if payout.Kind == kind {
			return true
		}
	}
	return false
}

func (m *Model) setPolicy(op Op, _ int) Reply {
	m.Policy[cmp.Or(op.Currency, won)] = op.Amount
	return done(Object{})
}

// Inquiry is an inquiry about a product.
type Inquiry struct {
	No       int
	PostedAt moment
	// Answered is the time of the answer; Content is the answer.
	Answered moment
	Content  string
	Changes  int
}

func (i *Inquiry) clone() *Inquiry {
	c := *i
	return &c
}

func (m *Model) postInquiry(op Op, id int) Reply {
	if m.Inquiries[op.Inquiry] != nil {
		return done(Object{"outcome": "ALREADY_POSTED"})
	}
	m.Inquiries[op.Inquiry] = &Inquiry{No: op.Inquiry, PostedAt: at(id, atPaid), Changes: 1}
	return done(Object{"outcome": "POSTED"})
}

func (m *Model) answer(op Op, id int) Reply {
	if op.Inquiry < -1 { // a malformed id is not found, whatever the body is
		return refuse(statusMissing, "QNA_NOT_FOUND")
	}
	if blank(op.Content) {
		return refuse(statusInvalid, "VALIDATION_ERROR")
	}
	i := m.Inquiries[op.Inquiry]
	if i == nil {
		return refuse(statusMissing, "QNA_NOT_FOUND")
	}
	if i.Content != "" && i.Content != op.Content {
		return refuse(statusNo, "QNA_ALREADY_ANSWERED")
	}
	converged := i.Content != ""
	if !converged {
		i.Content, i.Answered = op.Content, at(id, atInquiry)
		i.Changes++
	}
	at := i.Answered.value(0)
	return done(Object{
		"qna_id": InquiryID(i.No), "status": "answered", "converged": converged, "answered_at": at, "updated_at": Stamp{},
		"answer": Object{"content": i.Content, "answered_at": at},
	})
}

func (m *Model) cancelAnswer(op Op, _ int) Reply {
	i := m.Inquiries[op.Inquiry]
	switch {
	case i == nil:
		return refuse(statusMissing, "QNA_NOT_FOUND")
	case i.Content == "":
		return done(Object{"changed": false})
	}
	i.Content, i.Answered = "", moment{}
	i.Changes++
	return done(Object{"changed": true})
}
