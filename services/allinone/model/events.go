package model

// claimEvent finds the claim of an operation and lets something happen to it.
func (m *Model) claimEvent(op Op, happen func(c *Claim) Reply) Reply {
	c := m.Claims[op.Claim]
	if c == nil {
		return refuse(statusMissing, "CLAIM_NOT_FOUND")
	}
	return happen(c)
}

// standing is an answer that tells nothing but a claim's status, by the name that the contract has for it.
func (m *Model) standing(c *Claim, name string) Reply {
	no := c.No
	return m.told(func(m *Model) []Object { return []Object{{name: m.statusOf(m.Claims[no])}} })
}

// withdraw ends a claim on the customer's wish.
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

// hold puts collected goods into an operator's hands.
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

// freezeCodes are what a seller may be told of a freeze; nothing is other.
var freezeCodes = map[string]string{
	"dispute": "dispute", "fraud_check": "fraud_check", "payment_check": "payment_check", otherFreeze: otherFreeze, "": otherFreeze,
}

const otherFreeze = "other"

// freeze refuses every action on a claim from now on.
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

// unfreeze ends freeze. What was to happen by a certain time has as much more time as it lasted.
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

// payShortfall notes that the customer paid. Money that comes after the end goes back.
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

// refundPaid is the payment provider's word on the refund of a claim.
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

// refundFailed is the payment provider's word that a refund has failed, which no seller sees. It says nothing of one that is paid.
func (m *Model) refundFailed(op Op, _ int) Reply {
	c := m.Claims[op.Claim]
	if c == nil || !c.askedFor("refund") {
		return refuse(statusMissing, "CLAIM_NOT_FOUND")
	}
	c.Manual = c.Manual || op.Last && c.Later
	return m.standing(c, "claim_status")
}

// retryRefund asks the provider once more for a refund that a person has taken over.
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

// cancelReshipment takes back a reshipment that is registered. A repetition succeeds until the next reshipment.
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

// passDeadline is that nothing came in time: a claim that waits for a payment expires, and the goods of a return pass. Where the lines
// are not as they were nobody is there to be refused, and the claim waits for its operator. What is frozen waits.
func (m *Model) passDeadline(op Op, id int) Reply {
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

// setPolicy sets what the seller charges from now on.
func (m *Model) setPolicy(op Op, _ int) Reply {
	m.Policy = op.Amount
	return done(Object{})
}

// Inquiry is a question about a product.
type Inquiry struct {
	No       int
	PostedAt moment
	// Answered is when it was answered; Content is the answer.
	Answered moment
	Content  string
	Changes  int
}

func (i *Inquiry) clone() *Inquiry {
	c := *i
	return &c
}

// postInquiry brings a question in.
func (m *Model) postInquiry(op Op, id int) Reply {
	if m.Inquiries[op.Inquiry] != nil {
		return done(Object{"outcome": "ALREADY_POSTED"})
	}
	m.Inquiries[op.Inquiry] = &Inquiry{No: op.Inquiry, PostedAt: at(id, atPaid), Changes: 1}
	return done(Object{"outcome": "POSTED"})
}

// answer answers an inquiry.
func (m *Model) answer(op Op, id int) Reply {
	if op.Inquiry < -1 { // an id that is malformed is not there, whatever the body says
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

// cancelAnswer takes the answer of an inquiry back.
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
