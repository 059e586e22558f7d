module sellerapi.dev/proto/clients/go

go 1.23.0

require (
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v3 v3.0.6
)
