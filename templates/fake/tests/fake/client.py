"""Uses the fake API server at the URL in the first argument; fails if it acts unlike a real one."""

import sys
import threading

from kubernetes import client, dynamic, watch
from kubernetes.stream import portforward, stream

NAMESPACE = "default"
WIDGETS = ("example.com", "v1", NAMESPACE, "widgets")


def connect(url):
    configuration = client.Configuration()
    configuration.host = url
    return client.ApiClient(configuration)


def refused(call, status):
    """Makes a call that is refused, and returns the body of the response."""
    try:
        call()
    except client.ApiException as error:
        assert error.status == status, error
        return error.body
    raise AssertionError(f"no {status}")


def follow(core, version):
    """Begins to watch pods, and returns a function that waits for the end and returns the events."""
    events = []

    def run():
        watcher = watch.Watch()
        for event in watcher.stream(core.list_namespaced_pod, NAMESPACE, resource_version=version, timeout_seconds=60):
            labels = event["object"].metadata.labels or {}
            events.append((event["type"], event["object"].metadata.name, labels.get("tier")))
            if event["type"] == "DELETED":
                watcher.stop()

    thread = threading.Thread(target=run)
    thread.start()

    def wait():
        thread.join(60)
        return events

    return wait


def pods(core):
    container = client.V1Container(name="app", image="app:1")
    pod = client.V1Pod(metadata=client.V1ObjectMeta(name="job"), spec=client.V1PodSpec(containers=[container]))
    before = core.list_namespaced_pod(NAMESPACE, label_selector="app=web", limit=1)
    assert [item.metadata.name for item in before.items] == ["web"]
    events = follow(core, before.metadata.resource_version)

    created = core.create_namespaced_pod(NAMESPACE, pod)
    assert created.metadata.uid and created.spec.containers[0].image == "app:1"
    assert "already exists" in refused(lambda: core.create_namespaced_pod(NAMESPACE, pod), 409)
    # A list is a JSON patch for this client, and an object a strategic one.
    core.patch_namespaced_pod("job", NAMESPACE, {"metadata": {"labels": {"tier": "a"}}})
    step = {"op": "replace", "path": "/metadata/labels/tier", "value": "b"}
    assert core.patch_namespaced_pod("job", NAMESPACE, [step]).metadata.labels == {"tier": "b"}
    assert "has been modified" in refused(lambda: core.replace_namespaced_pod("job", NAMESPACE, created), 409)
    assert core.read_namespaced_pod_log("web", NAMESPACE) == "one\ntwo\n"
    assert core.read_namespaced_pod_log("web", NAMESPACE, tail_lines=1) == "two\n"

    core.delete_namespaced_pod("job", NAMESPACE, grace_period_seconds=0)
    refused(lambda: core.read_namespaced_pod("job", NAMESPACE), 404)
    seen = events()
    assert seen[0] == ("ADDED", "job", None) and seen[-1] == ("DELETED", "job", "b"), seen
    assert ("MODIFIED", "job", "a") in seen and ("MODIFIED", "job", "b") in seen, seen


def custom_objects(api):
    objects = client.CustomObjectsApi(api)
    assert len(objects.list_namespaced_custom_object(*WIDGETS)["items"]) == 1
    assert objects.patch_namespaced_custom_object(*WIDGETS, "wheel", {"spec": {"size": 4}})["spec"]["size"] == 4
    scale = objects.patch_namespaced_custom_object_scale(*WIDGETS, "wheel", {"spec": {"replicas": 2}})
    assert scale["kind"] == "Scale" and scale["spec"]["replicas"] == 2
    assert "spec.size" in refused(lambda: objects.patch_namespaced_custom_object(*WIDGETS, "wheel", {"spec": {"size": 0}}), 422)


def discovered(api):
    """The dynamic client finds kinds by discovery, and applies on the server."""
    found = dynamic.DynamicClient(api)
    widgets = found.resources.get(api_version="example.com/v1", kind="Widget")
    nut = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "nut"}, "spec": {"size": 1}}
    applied = found.server_side_apply(widgets, body=nut, name="nut", namespace=NAMESPACE, field_manager="test")
    assert applied.spec.size == 1 and applied.spec.color == "red"
    assert [item.metadata.name for item in widgets.get(namespace=NAMESPACE).items] == ["nut", "wheel"]


def running(core):
    """Runs commands in a pod, and speaks to its ports."""

    def run(*command, **options):
        options = {"stderr": True, "stdin": False, "stdout": True, "tty": False, **options}
        return stream(core.connect_get_namespaced_pod_exec, "web", NAMESPACE, command=list(command), **options)

    assert run("sh", "-c", "echo out; echo err >&2") == "out\nerr\n"
    process = run("sh", "-c", "read line; echo got $line; exit 5", stdin=True, _preload_content=False)
    process.write_stdin("a line\n")
    process.run_forever(timeout=60)
    assert process.read_stdout() == "got a line\n" and process.returncode == 5, process.returncode
    attached = stream(core.connect_get_namespaced_pod_attach, "web", NAMESPACE, stderr=True, stdout=True)
    assert attached == "attached\n", attached

    forward = portforward(core.connect_get_namespaced_pod_portforward, "web", NAMESPACE, ports="80,81")
    socket = forward.socket(80)
    socket.setblocking(True)
    socket.sendall(b"ping")
    assert socket.recv(100) == b"got ping"
    assert forward.error(80) is None and forward.error(81) == "nobody listens on 81", forward.error(81)
    socket.close()


def main():
    api = connect(sys.argv[1])
    assert client.VersionApi(api).get_code().major == "1"
    pods(client.CoreV1Api(api))
    if sys.argv[2:] == ["streams"]:
        running(client.CoreV1Api(api))
    custom_objects(api)
    discovered(api)


main()
