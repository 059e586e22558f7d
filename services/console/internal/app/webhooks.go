package app

import (
	"context"
	"net/http"
	"slices"
	"time"

	"connectrpc.com/connect"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/console/internal/pages"
)

const (
	purposeAdd    = "add a webhook"
	purposeRotate = "rotate the secret of "
)

// testTimeout is the time for a test of a webhook, whose receiver may be slow.
const testTimeout = 25 * time.Second

func (a *App) listWebhooks(ctx context.Context, r *request) ([]pages.Webhook, error) {
	answer, err := a.Webhooks.ListWebhooks(ctx, &gatewayv1.ListWebhooksRequest{SellerId: r.who.sellerID(), Actor: r.who.actor()})
	if err != nil {
		return nil, err
	}
	list := make([]pages.Webhook, len(answer.GetWebhooks()))
	for i, hook := range answer.GetWebhooks() {
		list[i] = webhookView(hook)
	}
	return list, nil
}

// webhooks is the list of addresses with the form that adds one.
func (a *App) webhooks(r *request) (reply, error) {
	return a.webhooksWith(r, pages.Webhooks{}, http.StatusOK)
}

func (a *App) webhooksWith(r *request, view pages.Webhooks, status int) (reply, error) {
	var err error
	if view.Webhooks, err = a.listWebhooks(r.ctx, r); err != nil {
		return reply{}, err
	}
	if view.Once == "" {
		if view.Once, err = a.Sessions.NewForm(r.ctx, r.formOf(purposeAdd)); err != nil {
			return reply{}, err
		}
	}
	return reply{status: status, page: view}, nil
}

// addWebhook adds an address and shows its secret.
func (a *App) addWebhook(r *request) (reply, error) {
	once := r.form(pages.FieldOnce)
	open, err := a.Sessions.FormOpen(r.ctx, once, r.formOf(purposeAdd))
	if err != nil {
		return reply{}, err
	}
	if !open {
		return done(pages.WebhooksPath, formSpent)
	}
	address := r.form(pages.FieldURL)
	answer, err := a.Webhooks.AddWebhook(r.ctx, &gatewayv1.AddWebhookRequest{
		SellerId: r.who.sellerID(), Url: address, Actor: r.who.actor(), RequestId: once,
	})
	if err != nil {
		return a.webhookRefused(r, address, err)
	}
	if err := a.Sessions.CloseForm(r.ctx, once); err != nil {
		return reply{}, err
	}
	return secret(answer.GetWebhook(), answer.GetSecret(), false)
}

func secret(hook *gatewayv1.Webhook, text string, rotated bool) (reply, error) {
	view := pages.WebhookSecret{Webhook: webhookView(hook), Secret: text, Rotated: rotated}
	return reply{page: view, leave: pages.WebhookPath(view.Webhook.ID)}, nil
}

// webhookRefused shows the form again with what the gateway says of it. It is a new form: the id of the refused one may have been
// used for another address.
func (a *App) webhookRefused(r *request, address string, err error) (reply, error) {
	view := pages.Webhooks{URL: address}
	if problems, ok := invalid(err); ok {
		view.Problem = pages.Problem{Word: pages.URLInvalid, Detail: problems["url"]}
		return a.webhooksWith(r, view, http.StatusUnprocessableEntity)
	}
	if text, ok := refusalText(err); ok {
		view.Problem = pages.Problem{Word: pages.URLInvalid, Detail: text}
		return a.webhooksWith(r, view, http.StatusConflict)
	}
	return reply{}, err
}

func (r *request) webhookID() string { return r.Param("webhook") }

// findWebhook returns the address that the path names.
func (a *App) findWebhook(r *request) (pages.Webhook, error) {
	list, err := a.listWebhooks(r.ctx, r)
	if err != nil {
		return pages.Webhook{}, err
	}
	at := slices.IndexFunc(list, func(hook pages.Webhook) bool { return hook.ID == r.webhookID() })
	if at < 0 {
		return pages.Webhook{}, errNoPage
	}
	return list[at], nil
}

// deliveriesPage is how many deliveries the gateway lists at a time.
const deliveriesPage = 100

// webhook is the page of an address with its deliveries.
func (a *App) webhook(r *request) (reply, error) { return a.webhookWith(r, nil) }

func (a *App) webhookWith(r *request, tested *pages.Delivery) (reply, error) {
	hook, err := a.findWebhook(r)
	if err != nil {
		return reply{}, err
	}
	view := pages.Deliveries{Webhook: hook, Before: r.Query(pages.FieldBefore), Tested: tested}
	if view.Before != "" {
		if err := requireUUID(view.Before); err != nil {
			return reply{}, err
		}
	}
	answer, err := a.Webhooks.ListWebhookDeliveries(r.ctx, &gatewayv1.ListWebhookDeliveriesRequest{
		SellerId: r.who.sellerID(), WebhookId: hook.ID, Actor: r.who.actor(), Before: view.Before,
	})
	if err != nil {
		return reply{}, err
	}
	for _, delivery := range answer.GetDeliveries() {
		view.Deliveries = append(view.Deliveries, deliveryView(delivery))
	}
	if len(view.Deliveries) == deliveriesPage {
		view.Older = view.Deliveries[deliveriesPage-1].ID
	}
	if view.Once, err = a.Sessions.NewForm(r.ctx, r.formOf(purposeRotate+hook.ID)); err != nil {
		return reply{}, err
	}
	return show(view)
}

// rotateSecret replaces the secret of an address and shows the new one.
func (a *App) rotateSecret(r *request) (reply, error) {
	once := r.form(pages.FieldOnce)
	open, err := a.Sessions.FormOpen(r.ctx, once, r.formOf(purposeRotate+r.webhookID()))
	if err != nil {
		return reply{}, err
	}
	if _, err := a.findWebhook(r); err != nil {
		return reply{}, err
	}
	if !open {
		return done(pages.WebhookPath(r.webhookID()), formSpent)
	}
	answer, err := a.Webhooks.RotateWebhookSecret(r.ctx, &gatewayv1.RotateWebhookSecretRequest{
		SellerId: r.who.sellerID(), WebhookId: r.webhookID(), Actor: r.who.actor(), RequestId: once,
	})
	if err != nil {
		return reply{}, err
	}
	if err := a.Sessions.CloseForm(r.ctx, once); err != nil {
		return reply{}, err
	}
	return secret(answer.GetWebhook(), answer.GetSecret(), true)
}

// testWebhook makes a delivery and shows what became of it.
func (a *App) testWebhook(r *request) (reply, error) {
	if err := requireUUID(r.webhookID()); err != nil {
		return reply{}, err
	}
	ctx, cancel := context.WithTimeout(r.ctx, testTimeout)
	defer cancel()
	answer, err := a.Webhooks.TestWebhook(ctx, &gatewayv1.TestWebhookRequest{
		SellerId: r.who.sellerID(), WebhookId: r.webhookID(), Actor: r.who.actor(),
	})
	switch {
	case isGatewayCode(err, connect.CodeAborted):
		return done(pages.WebhookPath(r.webhookID()), notTested)
	case err != nil:
		return reply{}, err
	}
	tested := deliveryView(answer.GetDelivery())
	return a.webhookWith(r, &tested)
}

func (a *App) pauseWebhook(r *request) (reply, error) {
	if err := requireUUID(r.webhookID()); err != nil {
		return reply{}, err
	}
	_, err := a.Webhooks.PauseWebhook(r.ctx, &gatewayv1.PauseWebhookRequest{
		SellerId: r.who.sellerID(), WebhookId: r.webhookID(), Actor: r.who.actor(),
	})
	if err != nil {
		return reply{}, err
	}
	return done(pages.WebhookPath(r.webhookID()), donePaused)
}

func (a *App) resumeWebhook(r *request) (reply, error) {
	if err := requireUUID(r.webhookID()); err != nil {
		return reply{}, err
	}
	_, err := a.Webhooks.ResumeWebhook(r.ctx, &gatewayv1.ResumeWebhookRequest{
		SellerId: r.who.sellerID(), WebhookId: r.webhookID(), Actor: r.who.actor(),
	})
	if err != nil {
		return reply{}, err
	}
	return done(pages.WebhookPath(r.webhookID()), doneResumed)
}

func (a *App) removeForm(r *request) (reply, error) {
	hook, err := a.findWebhook(r)
	if err != nil {
		return reply{}, err
	}
	return show(pages.WebhookRemove{Webhook: hook})
}

// removeWebhook removes an address of the seller.
func (a *App) removeWebhook(r *request) (reply, error) {
	if _, err := a.findWebhook(r); err != nil {
		return reply{}, err
	}
	_, err := a.Webhooks.RemoveWebhook(r.ctx, &gatewayv1.RemoveWebhookRequest{
		SellerId: r.who.sellerID(), WebhookId: r.webhookID(), Actor: r.who.actor(),
	})
	if err != nil {
		return reply{}, err
	}
	return done(pages.WebhooksPath, doneRemoved)
}
