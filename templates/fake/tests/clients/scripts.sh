set -eu
kubectl run web --image=web:1
test "$(echo hello | kubectl exec -i web -- cat)" = hello
code=0
output=$(kubectl exec web -- date) || code=$?
test "$output $code" = 'noon 3'
test "$(kubectl attach web)" = attached
test "$(kubectl logs web)" = started
# From here on, other scripts run.
kubectl replace --raw /kapigen-fake/scripts -f - <<'END'
exec: [{command: [date], run: [{stdout: "one o'clock\n"}]}]
logs: [{pod: web, text: "started\nready\n"}]
END
test "$(kubectl exec web -- date)" = "one o'clock"
test "$(kubectl logs web --tail=1)" = ready
