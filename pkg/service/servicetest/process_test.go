package servicetest_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/service/servicetest"
)

// programEnv makes the test binary a program that listens on the address in the variable and responds with its process id.
const programEnv = "SERVICETEST_PROGRAM"

func TestMain(m *testing.M) {
	if address := os.Getenv(programEnv); address != "" {
		program(address)
	}
	os.Exit(m.Run())
}

// program prints a word that is not JSON, then its address, then waits to be killed.
func program(address string) {
	port, err := net.Listen("tcp", address)
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(os.Stderr, "warming up\n{\"msg\":\"warm\"}\n")
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"msg": "serving", "addresses": service.Addresses{"public": port.Addr().String()},
	})
	for {
		client, err := port.Accept()
		if err != nil {
			panic(err)
		}
		_ = json.NewEncoder(client).Encode(os.Getpid())
		_ = client.Close()
	}
}

func pid(t *testing.T, address string) string {
	t.Helper()
	client, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer func() { require.NoError(t, client.Close()) }()
	line, err := bufio.NewReader(client).ReadString('\n')
	require.NoError(t, err)
	return line
}

func TestProcess_killAndRestartAtAddress(t *testing.T) {
	t.Parallel()
	p := servicetest.New(t, func(last service.Addresses) *exec.Cmd {
		command := exec.CommandContext(t.Context(), os.Args[0])
		address := "127.0.0.1:0"
		if last != nil {
			address = last["public"]
		}
		command.Env = append(os.Environ(), programEnv+"="+address)
		return command
	})
	p.Start()
	address := p.Address("public")
	first := pid(t, address)
	p.Kill()
	<-p.Ended()
	_, err := net.Dial("tcp", address)
	require.Error(t, err)
	p.Kill() // killing a dead process is allowed
	p.Start()
	require.Equal(t, address, p.Address("public"))
	require.NotEqual(t, first, pid(t, address))
}

// Programs are built under the names of their folders.
func TestBuild_programsUnderTheirNames(t *testing.T) {
	t.Parallel()
	folder, err := servicetest.Build("./testdata/empty")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	require.NoError(t, exec.CommandContext(t.Context(), folder+"/empty").Run())
}
