from threading import Thread

from kubernetes import client, config, watch

config.load_kube_config()  # that of $KUBECONFIG
pods = client.CoreV1Api()
seen = []


def follow(version):
    watcher = watch.Watch()
    for event in watcher.stream(pods.list_namespaced_pod, "default", resource_version=version, timeout_seconds=60):
        seen.append((event["type"], event["object"].metadata.labels))
        if event["type"] == "DELETED":
            watcher.stop()


watching = Thread(target=follow, args=[pods.list_namespaced_pod("default").metadata.resource_version])
watching.start()

container = {"name": "a", "image": "a:1"}
pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "job"}, "spec": {"containers": [container]}}
created = pods.create_namespaced_pod("default", pod)
assert created.metadata.uid

configuration = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "job", "labels": {"app": "a"}}}
applied = pods.patch_namespaced_pod(
    "job", "default", configuration, field_manager="test", force=True, _content_type="application/apply-patch+yaml"
)
assert applied.metadata.labels == {"app": "a"} and applied.spec.containers[0].image == "a:1"

patched = pods.patch_namespaced_pod("job", "default", {"metadata": {"labels": {"tier": "b"}}})
assert patched.metadata.labels == {"app": "a", "tier": "b"}

pods.delete_namespaced_pod("job", "default", grace_period_seconds=0)
watching.join(60)
assert seen[0] == ("ADDED", None) and ("MODIFIED", {"app": "a"}) in seen, seen
assert seen[-1] == ("DELETED", {"app": "a", "tier": "b"}), seen
