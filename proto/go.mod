module sellerapi.dev/proto

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v3 v3.0.5
	google.golang.org/protobuf v1.36.12
)
