set -eu
kubectl run web --image=web:1
# Ends when the image is another one: kubectl watches the pod.
kubectl wait pod/web --for=jsonpath='{.spec.containers[0].image}'=web:2 --timeout=60s &
watch=$!
kubectl apply --server-side --force-conflicts -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: "web:2"}]}
END
wait $watch
kubectl patch pod web --type=merge --patch='{"metadata": {"labels": {"tier": "front"}}}'
test "$(kubectl get pods -l tier=front,app=web -o name)" = pod/web
kubectl delete pod web --now
test -z "$(kubectl get pods -o name)"
