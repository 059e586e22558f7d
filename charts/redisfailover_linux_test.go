package charts

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// redisSet is the Redis of production on the loopback interface: three nodes and three sentinels, each started by its script with a
// folder in place of /data. The names of the pods are replaced by addresses.
type redisSet struct {
	t       *testing.T
	folder  string
	network string // the first three numbers of the addresses
	ports   [2]string
	running map[string]*exec.Cmd
}

// nodes are the last numbers of the addresses of the nodes, sentinels those of the sentinels.
var redisNodes, redisSentinels = []string{"10", "11", "12"}, []string{"20", "21", "22"}

func newRedisSet(t *testing.T, network int) *redisSet {
	t.Helper()
	r := &redisSet{
		t: t, folder: t.TempDir(), network: fmt.Sprintf("127.%d.%d.", 100+os.Getpid()%100, network), running: map[string]*exec.Cmd{},
	}
	for n := range r.ports {
		r.ports[n] = freePort(t, r.network+redisNodes[0])
	}
	certificate(t, r.folder)
	t.Cleanup(func() {
		for last := range r.running {
			r.kill(last)
		}
		for _, last := range append(redisNodes, redisSentinels...) {
			if said, err := os.ReadFile(filepath.Join(r.folder, last+".log")); err == nil && t.Failed() {
				t.Logf("%s%s\n%s", r.network, last, said)
			}
		}
	})
	r.start(redisNodes...)
	r.start(redisSentinels...)
	r.wait("the sentinels know each other and both replicas", func() bool {
		for _, s := range redisSentinels {
			if !strings.Contains(r.ask(s, "info", "sentinel"), "status=ok,address="+r.network+"10:"+r.ports[0]+",slaves=2,sentinels=3") {
				return false
			}
		}
		return r.synced("10", 2)
	})
	return r
}

// freePort returns a port that no program uses at an address.
func freePort(t *testing.T, address string) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address+":0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	return port
}

// certificate writes a self-signed certificate, its key and itself as the authority into a folder.
func certificate(t *testing.T, folder string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "redis"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{
		"tls.crt": {Type: "CERTIFICATE", Bytes: signed}, "ca.crt": {Type: "CERTIFICATE", Bytes: signed}, "tls.key": {Type: "PRIVATE KEY", Bytes: private},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600))
	}
}

// start starts nodes and sentinels like pods with the volumes that they had. The sentinels wait for a lost master for two seconds instead
// of twenty, and replace a silent one after five seconds instead of one, because all these servers share a machine with other tests.
func (r *redisSet) start(all ...string) {
	r.t.Helper()
	for _, last := range all {
		script := "start-node.sh"
		if last >= "20" {
			script = "start-sentinel.sh"
		}
		data := filepath.Join(r.folder, last)
		require.NoError(r.t, os.MkdirAll(data, 0o700))
		text := strings.NewReplacer(
			`echo "port 0"`, `echo "bind $POD"`+"\n  "+`echo "port 0"`, "-ge 20 ", "-ge 2 ",
			"down-after-milliseconds main 1000", "down-after-milliseconds main 5000",
			"/data", data, "/tls/", r.folder+"/", "26379", r.ports[1], "6379", r.ports[0], "localhost", "$POD",
			"*.redis-nodes.*", "127.*", ".redis-nodes.$NAMESPACE.svc", "", ".redis-sentinels.$NAMESPACE.svc", "",
			"redis-node-$n", r.network+"1$n", "redis-node-0", r.network+"10", "-h redis-sentinel", "-h "+r.network+"20", "ask redis-sentinel", "ask "+r.network+"20",
		).Replace(read(r.t, production+"/redis/"+script))
		pod := exec.CommandContext(r.t.Context(), "sh", "-c", text)
		pod.Env = append(os.Environ(), "POD="+r.network+last, "NAMESPACE=shop", "REDIS_PASSWORD=secret", "MAX_MEMORY=64mb", "NODES=3")
		pod.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		output, err := os.Create(filepath.Join(r.folder, last+".log"))
		require.NoError(r.t, err)
		pod.Stdout, pod.Stderr = output, output
		require.NoError(r.t, pod.Start())
		require.NoError(r.t, output.Close())
		r.running[last] = pod
	}
}

// kill kills everything that a script has started, as a power failure does.
func (r *redisSet) kill(all ...string) {
	for _, last := range all {
		pod := r.running[last]
		_ = syscall.Kill(-pod.Process.Pid, syscall.SIGKILL)
		_ = pod.Wait() // it was killed
		delete(r.running, last)
	}
}

// killAll is a power failure.
func (r *redisSet) killAll() { r.kill(append(redisNodes, redisSentinels...)...) }

// ask returns the reply of a node or a sentinel, and what prevented one.
func (r *redisSet) ask(last string, command ...string) string {
	port := r.ports[0]
	if last >= "20" {
		port = r.ports[1]
	}
	client := exec.CommandContext(r.t.Context(), "redis-cli",
		append([]string{"--tls", "--cacert", filepath.Join(r.folder, "ca.crt"), "-h", r.network + last, "-p", port, "--raw"}, command...)...)
	client.Env = append(os.Environ(), "REDISCLI_AUTH=secret")
	out, _ := client.CombinedOutput() // it says why it failed
	return string(bytes.TrimSpace(out))
}

// wait waits until a condition is met, at most a minute.
func (r *redisSet) wait(what string, met func() bool) {
	r.t.Helper()
	require.Eventually(r.t, met, time.Minute, 100*time.Millisecond, what)
}

// master returns the last number of the address that all sentinels name as the master's, or nothing.
func (r *redisSet) master() string {
	var first string
	for _, s := range redisSentinels {
		address, _, _ := strings.Cut(r.ask(s, "sentinel", "get-master-addr-by-name", "main"), "\n")
		last, found := strings.CutPrefix(address, r.network)
		if !found || first != "" && last != first {
			return ""
		}
		first = last
	}
	return first
}

// synced reports whether a master has this many replicas that have all its data.
func (r *redisSet) synced(master string, replicas int) bool {
	info := r.ask(master, "info", "replication")
	return strings.Contains(info, "role:master") && strings.Count(info, "state=online") == replicas
}

// counted returns how far the data of a node goes.
func (r *redisSet) counted(node string) int {
	count, _ := strconv.Atoi(r.ask(node, "get", "redis-node:count")) // 0 if it does not answer
	return count
}

// After a total restart in which the master is lost, the replica with more data is promoted, whichever it is. The other had lost its
// connection before the last write. The lost master returns with its data and follows.
func TestRedisFailover_mostAdvancedReplica(t *testing.T) {
	t.Parallel()
	for n, ahead := range []string{"11", "12"} {
		t.Run("node "+ahead[1:], func(t *testing.T) {
			t.Parallel()
			r := newRedisSet(t, 1+n)
			behind := map[string]string{"11": "12", "12": "11"}[ahead]
			require.Equal(t, "OK", r.ask(behind, "config", "set", "masterauth", "wrong"))
			require.Equal(t, "1", r.ask(behind, "client", "kill", "type", "master"))
			require.Equal(t, "OK", r.ask("10", "set", "last", "kept"))
			r.wait("one replica is ahead of the other", func() bool { return r.counted(ahead) > r.counted(behind)+1 && r.ask(ahead, "get", "last") == "kept" })
			r.killAll()
			r.start(redisSentinels...)
			r.start(ahead, behind)
			r.wait("the replica that was ahead is the master", func() bool { return r.master() == ahead && r.synced(ahead, 1) })
			require.Equal(t, "kept", r.ask(behind, "get", "last"))
			r.start("10")
			r.wait("the lost master follows", func() bool { return r.synced(ahead, 2) })
			require.Equal(t, "kept", r.ask("10", "get", "last"))
			require.Equal(t, ahead, r.master())
		})
	}
}

// A master that returns without its data waits until a replica is promoted, and then follows it: after a total restart, and also when it
// returns before the sentinels have noticed.
func TestRedisFailover_emptyMasterFollows(t *testing.T) {
	t.Parallel()
	for n, name := range []string{"total restart", "at once"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRedisSet(t, 3+n)
			require.Equal(t, "OK", r.ask("10", "set", "last", "kept"))
			require.Equal(t, "2", r.ask("10", "wait", "2", "5000"))
			if name == "total restart" {
				r.killAll()
			} else {
				r.kill("10")
			}
			require.NoError(t, os.RemoveAll(filepath.Join(r.folder, "10")))
			r.start("10")
			if name == "total restart" {
				r.start("11", "12")
				r.start(redisSentinels...)
			}
			r.wait("a replica is the master, and the others follow it", func() bool {
				master := r.master()
				return master != "" && master != "10" && r.synced(master, 2)
			})
			for _, node := range redisNodes {
				require.Equal(t, "kept", r.ask(node, "get", "last"), node)
			}
		})
	}
}

// The first start needs an answer of every node, so the nodes know how many they are.
func TestRedisFailover_nodesKnowTheirNumber(t *testing.T) {
	t.Parallel()
	node := only(t, production+"/redis/nodes.yaml", "StatefulSet")
	require.Contains(t, read(t, production+"/redis/nodes.yaml"), fmt.Sprintf("{name: NODES, value: \"%v\"}", node.at("spec", "replicas")))
}
