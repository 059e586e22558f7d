package console

import "sellerapi.dev/services/console/internal/app"

// Route is a row of the table of routes.
type Route = app.Row

// Routes returns the table of routes: every address, and who may use it.
func Routes() []Route { return app.Rows() }
