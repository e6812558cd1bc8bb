module oracle

go 1.19

require sigs.k8s.io/structured-merge-diff/v4 v4.1.2
