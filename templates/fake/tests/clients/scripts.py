import json
from urllib.request import Request, urlopen

from kubernetes import client, config
from kubernetes.stream import portforward, stream

config.load_kube_config()  # that of $KUBECONFIG
pods = client.CoreV1Api()
container = {"name": "web", "image": "web:1"}
pods.create_namespaced_pod("default", {"metadata": {"name": "web"}, "spec": {"containers": [container]}})


def run(*command):
    process = stream(
        pods.connect_get_namespaced_pod_exec, "web", "default", command=list(command), stdout=True, stderr=True, stdin=False, tty=False, _preload_content=False
    )
    process.run_forever(timeout=60)
    return process.read_stdout(), process.returncode


assert run("date") == ("noon\n", 3)
forward = portforward(pods.connect_get_namespaced_pod_portforward, "web", "default", ports="80")
assert forward.socket(80).recv(1000).startswith(b"HTTP/1.0 204")
assert pods.read_namespaced_pod_log("web", "default") == "started\n"

scripts = json.dumps({"exec": [{"command": ["date"], "run": [{"stdout": "one o'clock\n"}]}]})
url = client.Configuration.get_default_copy().host + "/kapigen-fake/scripts"
urlopen(Request(url, data=scripts.encode(), method="POST"), timeout=60).close()
assert run("date") == ("one o'clock\n", 0)
