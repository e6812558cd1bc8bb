//! The rules and defaults of built-in kinds, as data.
//!
//! A line without indentation begins the rules of a resource, by group and plural name, or of a
//! type. Each line below it has a path and what holds there, in the order in which servers check.
//! Steps of a path are members; `[]` stands for each element of a list, and
//! after `?` the rest only holds where the member is there: other members without a value are
//! checked as zero. `as` gives a place another name in errors.
//!
//! - `=1` is the default of an absent member, `:=1` of one that is absent or zero;
//! - `req`, `min 0`, `range 1 2`, `in A|B` (any string but empty) and `one A|B` restrict a value;
//! - `is NAME` is a syntax;
//! - `unique MEMBER` holds for the elements of a list, `same` for an update of a whole path; after
//!   `new`, the rest holds for new objects only;
//! - `do NAME` is a function in `special`, `fill NAME` one in `special::defaults`, `> NAME` the
//!   rules of a type.
//!
//! A text in quotes is the end of the message.

pub(super) const TABLE: &str = r#"
/pods
  spec > PodSpec
  spec.enableServiceLinks =true
  self fill requests
/podtemplates
  template > PodTemplate
/replicationcontrollers
  spec.replicas =1 min 0
  self fill selector_of_template
  spec.minReadySeconds min 0
  spec.template do template_of_controller
  spec.selector do labels_of_template
  spec.template? > PodTemplate
  spec.template.spec.restartPolicy in Always
apps/deployments
  spec.replicas =1 min 0
  spec.selector do selector
  spec.template > PodTemplate
  spec.template.spec.restartPolicy in Always
  spec.template.spec.activeDeadlineSeconds? none "activeDeadlineSeconds in ReplicaSet is not Supported"
  spec.strategy.type :="RollingUpdate"
  spec.strategy fill rolling do strategy
  spec.minReadySeconds min 0
  spec.revisionHistoryLimit =10 min 0
  spec.progressDeadlineSeconds =600 min 0
  spec do deadline
  spec.selector do same_selector
apps/replicasets
  spec.replicas =1 min 0
  spec.minReadySeconds min 0
  spec.selector do selector
  spec.template > PodTemplate
  spec.template.spec.restartPolicy in Always
  spec.template.spec.activeDeadlineSeconds? none "activeDeadlineSeconds in ReplicaSet is not Supported"
  spec.selector do same_selector
apps/daemonsets
  spec.selector do same_selector do selector
  spec.template > PodTemplate
  spec.template.spec.restartPolicy in Always
  spec.template.spec.activeDeadlineSeconds? none "activeDeadlineSeconds in DaemonSet is not Supported"
  spec.minReadySeconds min 0
  spec.updateStrategy.type :="RollingUpdate"
  spec.updateStrategy fill rolling_daemon do strategy
  spec.revisionHistoryLimit =10 min 0
apps/statefulsets
  spec.podManagementPolicy :="OrderedReady" one OrderedReady|Parallel
  spec.updateStrategy.type :="RollingUpdate"
  spec.updateStrategy fill partition do strategy
  spec.persistentVolumeClaimRetentionPolicy ={}
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted :="Retain" one Retain|Delete
  spec.persistentVolumeClaimRetentionPolicy.whenScaled :="Retain" one Retain|Delete
  spec.replicas =1 min 0
  spec.minReadySeconds min 0
  spec.revisionHistoryLimit =10
  spec.ordinals?.start min 0
  spec.serviceName? new is some_label
  spec.volumeClaimTemplates[].apiVersion ="v1"
  spec.volumeClaimTemplates[].kind ="PersistentVolumeClaim"
  spec.volumeClaimTemplates[].spec new > ClaimSpec
  spec.volumeClaimTemplates[].status.phase :="Pending"
  spec.selector do selector
  spec do claim_names
  spec.template > PodTemplate
  spec.template.spec.restartPolicy in Always
  spec.template.spec.activeDeadlineSeconds? none "activeDeadlineSeconds in StatefulSet is not Supported"
  spec do stateful_changes
batch/jobs
  self fill job new do pod_names
  spec > JobSpec
  spec do job_changes
batch/cronjobs
  spec.schedule req do schedule
  spec.startingDeadlineSeconds? min 0
  spec.timeZone? do time_zone
  spec.concurrencyPolicy :="Allow" one Allow|Forbid|Replace
  spec.suspend =false
  spec.jobTemplate.spec > JobSpec
  spec.successfulJobsHistoryLimit =3 min 0
  spec.failedJobsHistoryLimit =1 min 0
/endpoints
  subsets[] do addresses
  subsets[].addresses[] > EndpointAddress
  subsets[].notReadyAddresses[] > EndpointAddress
  subsets[].ports do several_named
  subsets[].ports[].name is some_label
  subsets[].ports[].port range 1 65535
  subsets[].ports[].protocol :="TCP" in SCTP|TCP|UDP
  subsets[].ports[].appProtocol? is key
EndpointAddress
  ip is ip
  hostname is some_label
  nodeName? is subdomain
  ip do special_address
discovery.k8s.io/endpointslices
  addressType req in FQDN|IPv4|IPv6
  endpoints[].addresses req "must contain at least 1 address"
  endpoints[] do slice_addresses
  endpoints[].nodeName? is subdomain
  endpoints[].hostname? is label
  ports[].name ="" is some_label
  ports unique name
  ports[].protocol ="TCP" in SCTP|TCP|UDP
  ports[].appProtocol? is key
  addressType same
/events
  involvedObject do event_namespace
events.k8s.io/events
  regarding do event_namespace
  self do event
  regarding as involvedObject do same_reference
  reason same
  reason same
  note as message same
  type same
  action same
  reportingController same
  reportingInstance same
coordination.k8s.io/leases
  spec.leaseDurationSeconds? range 1 2147483647 "must be greater than 0"
  spec.leaseTransitions? min 0
/secrets
  data do secret
  type same
/services
  spec.sessionAffinity :="None"
  spec.type :="ClusterIP"
  spec fill traffic do service_ports do cluster_addresses
  spec.ports[] > ServicePort
  self fill target_port
  spec.selector? do labels
  spec.sessionAffinity in ClientIP|None
  spec.type in ClusterIP|ExternalName|LoadBalancer|NodePort
  spec.externalName do external_name
  spec.ports do port_pairs
  spec do node_ports
ServicePort
  name do name_of_several
  name is some_label
  self do name_of_port
  port range 1 65535
  protocol :="TCP" in SCTP|TCP|UDP
  targetPort do target_port
  appProtocol? is key
/nodes
  spec.taints do taints
  spec do node_networks
/persistentvolumeclaims
  spec > ClaimSpec
  spec do claim_changes
ClaimSpec
  accessModes req "at least 1 access mode is required"
  accessModes do access_modes
  selector? > Selector
  resources do storage
  storageClassName? do class_name
  volumeMode ="Filesystem" one Block|Filesystem
/persistentvolumes
  spec.accessModes req
  spec.accessModes do access_modes
  spec.capacity req
  spec.capacity do capacity
  spec.hostPath?.path req
  spec.hostPath?.type =""
  spec.nfs?.server req
  spec.nfs?.path req
  spec.csi?.driver req
  spec.csi?.volumeHandle req
  spec do volume_type
  spec.persistentVolumeReclaimPolicy :="Retain" one Delete|Recycle|Retain
  spec.storageClassName is some_subdomain
  spec.volumeMode ="Filesystem" one Block|Filesystem
  spec do volume_changes
networking.k8s.io/ingresses
  spec.rules[].host do host
  spec.rules[].http?.paths req
  spec.rules[].http?.paths[].pathType req "pathType must be specified"
  spec.rules[].http?.paths[] do ingress_path
  spec.rules[].http?.paths[].backend > Backend
  spec.tls[].hosts[] do tls_host
  spec.tls[].secretName is some_subdomain
  spec.defaultBackend? > Backend
  spec.ingressClassName? is subdomain
  spec do has_backend
Backend
  resource?.kind req
  resource?.name req
  service?.name req is some_label1035
  self do backend
networking.k8s.io/ingressclasses
  spec.controller same
  spec.controller req do controller
  spec.parameters? ={}
  spec.parameters?.apiGroup? is subdomain
  spec.parameters?.kind req
  spec.parameters?.name req
  spec.parameters?.scope ="Cluster" one Cluster|Namespace
networking.k8s.io/networkpolicies
  spec fill policy_types
  spec.podSelector ={} > Selector
  spec.ingress[].ports[] > PolicyPort
  spec.ingress[].from[] > Peer
  spec.egress[].ports[] > PolicyPort
  spec.egress[].to[] > Peer
  spec.policyTypes do most_two
  spec.policyTypes[] one Ingress|Egress
PolicyPort
  protocol ="TCP" in TCP|UDP|SCTP
  port? do target_port
  endPort? range 1 65535
  self do end_port
Peer
  podSelector? > Selector
  namespaceSelector? > Selector
  self do peer
  ipBlock? > Block
Block
  cidr req is cidr
  except[] is cidr
rbac.authorization.k8s.io/roles
  rules[] > Rule
rbac.authorization.k8s.io/clusterroles
  rules[] > Rule
  aggregationRule?.clusterRoleSelectors req "at least one clusterRoleSelector required if aggregationRule is non-nil"
  aggregationRule?.clusterRoleSelectors[] do aggregated
Rule
  verbs req "verbs must contain at least one value"
  self do rule
rbac.authorization.k8s.io/rolebindings
  roleRef.apiGroup :="rbac.authorization.k8s.io" one rbac.authorization.k8s.io
  roleRef.kind one Role|ClusterRole
  roleRef.name req
  subjects[] > Subject
  roleRef do role_change
rbac.authorization.k8s.io/clusterrolebindings
  roleRef.apiGroup :="rbac.authorization.k8s.io" one rbac.authorization.k8s.io
  roleRef.kind one ClusterRole
  roleRef.name req
  subjects[] > Subject
  roleRef do role_change
Subject
  name req
  self fill subject do subject
autoscaling/horizontalpodautoscalers
  spec.minReplicas =1 min 1
  spec.maxReplicas do most_replicas
  spec.scaleTargetRef.kind req
  spec.scaleTargetRef.name req
  spec.scaleTargetRef do target
  spec.metrics[] do metric
  spec fill metrics
  spec.behavior? fill scale_up
  spec.behavior?.scaleUp? > Scaling
  spec.behavior?.scaleDown? > Scaling
  spec do to_zero
Scaling
  stabilizationWindowSeconds? min 0 "must be greater than or equal to zero"
  selectPolicy ="Max" one Max|Min|Disabled
  policies req "must specify at least one Policy"
  policies[].type one Percent|Pods
  policies[].value range 1 2147483647 "must be greater than zero"
  policies[].periodSeconds range 1 2147483647 "must be greater than zero"
policy/poddisruptionbudgets
  spec do both_limits
  spec.minAvailable? do percent
  spec.maxUnavailable? do percent
  spec.selector? > Selector
  spec.unhealthyPodEvictionPolicy? one AlwaysAllow|IfHealthyBudget
scheduling.k8s.io/priorityclasses
  preemptionPolicy ="PreemptLowerPriority" new req in PreemptLowerPriority|Never
  value same "may not be changed in an update."
  preemptionPolicy same
storage.k8s.io/storageclasses
  provisioner req do provisioner
  reclaimPolicy ="Delete" in Delete|Retain
  volumeBindingMode ="Immediate" one Immediate|WaitForFirstConsumer
  parameters same
  provisioner same
  reclaimPolicy same
  volumeBindingMode same
admissionregistration.k8s.io/validatingwebhookconfigurations
  webhooks[] > Webhook
  webhooks unique name
admissionregistration.k8s.io/mutatingwebhookconfigurations
  webhooks[] > Webhook
  webhooks[].reinvocationPolicy ="Never" one IfNeeded|Never
  webhooks unique name
Webhook
  name req do qualified
  rules[] > WebhookRule
  failurePolicy ="Fail" one Fail|Ignore
  matchPolicy ="Equivalent" one Equivalent|Exact
  sideEffects req "must specify one of None, NoneOnDryRun" one None|NoneOnDryRun
  timeoutSeconds =10 range 1 30 "the timeout value must be between 1 and 30 seconds"
  namespaceSelector ={} > Selector
  objectSelector ={} > Selector
  clientConfig do hook_client
  admissionReviewVersions do review_versions
WebhookRule
  operations req
  operations[] one *|CONNECT|CREATE|DELETE|UPDATE
  apiGroups req
  apiVersions req
  apiVersions[] req
  resources req
  resources[] req
  scope ="*" one *|Cluster|Namespaced
/limitranges
  spec.limits[] do limit
  spec.limits unique type
/resourcequotas
  spec.hard do quota
  spec.scopes do scopes
JobSpec
  self fill completions
  parallelism =1 min 0
  completions? min 0
  activeDeadlineSeconds? min 0
  backoffLimit =6 min 0
  ttlSecondsAfterFinished? min 0
  completionMode ="NonIndexed" one NonIndexed|Indexed
  suspend =false
  podReplacementPolicy ="TerminatingOrFailed" one Failed|TerminatingOrFailed
  podFailurePolicy?.rules[] do failure_rule
  selector do job_selector
  template > PodTemplate
  template.spec.restartPolicy do job_restart
PodTemplate
  metadata.labels? as labels do labels
  metadata.annotations? as annotations do annotations
  spec > PodSpec
PodSpec
  self fill account
  volumes[] > Volume
  containers req
  containers[] > Container
  initContainers[] > Container
  ephemeralContainers[] > Container
  self do containers
  restartPolicy :="Always" one Always|OnFailure|Never
  dnsPolicy :="ClusterFirst" one ClusterFirstWithHostNet|ClusterFirst|Default|None
  nodeSelector? do labels
  securityContext ={}
  securityContext?.runAsUser? range 0 2147483647
  securityContext?.runAsGroup? range 0 2147483647
  securityContext?.fsGroup? range 0 2147483647
  affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution? > NodeSelector
  affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution[] > PodTerm
  affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution[] > PodTerm
  readinessGates[].conditionType is key
  schedulingGates unique name
  topologySpreadConstraints[].maxSkew range 1 2147483647 "must be greater than zero"
  topologySpreadConstraints[].topologyKey req "can not be empty"
  topologySpreadConstraints[].whenUnsatisfiable one DoNotSchedule|ScheduleAnyway
  serviceAccountName is some_subdomain
  activeDeadlineSeconds? range 1 2147483647
  hostname is some_label
  subdomain is some_label
  tolerations[] > Toleration
  hostAliases[].ip is ip
  hostAliases[].hostnames[] is subdomain
  priorityClassName is some_subdomain
  preemptionPolicy? one PreemptLowerPriority|Never
  terminationGracePeriodSeconds =30
  schedulerName :="default-scheduler"
Volume
  self fill volume do volume
  name req is some_label
Container
  self fill container
  name req is some_label
  image req is trimmed
  terminationMessagePath :="/dev/termination-log"
  terminationMessagePolicy :="File" one File|FallbackToLogsOnError
  ports[] > ContainerPort
  ports do container_ports
  env[] do variable
  volumeMounts do mounts
  imagePullPolicy? one Always|IfNotPresent|Never
  resources ={}
  resources do resources
  securityContext?.runAsUser? range 0 2147483647
  securityContext?.runAsGroup? range 0 2147483647
  livenessProbe? > Probe
  livenessProbe?.successThreshold :=1 range 1 1 "must be 1"
  readinessProbe? > Probe
  startupProbe? > Probe
  startupProbe?.successThreshold :=1 range 1 1 "must be 1"
  lifecycle?.postStart? > Handler
  lifecycle?.preStop? > Handler
ContainerPort
  name do port_name
  containerPort req range 1 65535
  hostPort? range 0 65535 "must be between 1 and 65535, inclusive"
  protocol :="TCP" in SCTP|TCP|UDP
Probe
  self > Handler
  initialDelaySeconds min 0
  timeoutSeconds :=1 min 0
  periodSeconds :=10 min 0
  successThreshold :=1 min 0
  failureThreshold :=3 min 0
Handler
  exec?.command req
  httpGet?.path :="/"
  httpGet?.port do port_number
  httpGet?.scheme :="HTTP" one HTTP|HTTPS
  tcpSocket?.port do port_number
  grpc?.port range 1 65535
  grpc?.service =""
  self do handler
Selector
  matchLabels? do labels
  matchExpressions[] do requirement
NodeSelector
  nodeSelectorTerms req "must have at least one node selector term"
  nodeSelectorTerms[].matchExpressions[] do node_requirement
PodTerm
  labelSelector? > Selector
  topologyKey req "can not be empty"
  topologyKey is key
Toleration
  key is some_key
  self do toleration
"#;
