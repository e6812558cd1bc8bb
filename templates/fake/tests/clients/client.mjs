import assert from "node:assert/strict";
import { CoreV1Api, KubeConfig, PatchStrategy, Watch, setHeaderOptions } from "@kubernetes/client-node";

const config = new KubeConfig();
config.loadFromDefault(); // that of $KUBECONFIG
const pods = config.makeApiClient(CoreV1Api);
const namespace = "default";
const name = "job";

const resourceVersion = (await pods.listNamespacedPod({ namespace })).metadata.resourceVersion;
const seen = [];
const deleted = new Promise((resolve, reject) => {
  const end = (error) => reject(error ?? new Error("the watch ended"));
  const next = (type, pod) => {
    seen.push([type, pod.metadata.labels]);
    if (type === "DELETED") resolve();
  };
  new Watch(config).watch(`/api/v1/namespaces/${namespace}/pods`, { resourceVersion }, next, end).catch(reject);
});

const body = { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [{ name: "a", image: "a:1" }] } };
const created = await pods.createNamespacedPod({ namespace, body });
assert.ok(created.metadata.uid);

const configuration = { apiVersion: "v1", kind: "Pod", metadata: { name, labels: { app: "a" } } };
const applied = await pods.patchNamespacedPod(
  { name, namespace, body: configuration, fieldManager: "test", force: true },
  setHeaderOptions("Content-Type", PatchStrategy.ServerSideApply),
);
assert.deepEqual(applied.metadata.labels, { app: "a" });

const patched = await pods.patchNamespacedPod(
  { name, namespace, body: { metadata: { labels: { tier: "b" } } } },
  setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
);
assert.deepEqual(patched.metadata.labels, { app: "a", tier: "b" });

await pods.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 });
await deleted;
assert.deepEqual([seen[0], seen[1]], [["ADDED", undefined], ["MODIFIED", { app: "a" }]]);
assert.deepEqual(seen.at(-1), ["DELETED", { app: "a", tier: "b" }]);
process.exit(0); // the watch would go on
