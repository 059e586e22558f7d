{{/* The pods of a service. Context as in _service.tpl. */}}

{{- define "seller-open-api.service.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "seller-open-api.metadata" (dict "root" .root "component" .component "annotations" .s.deploymentAnnotations) | nindent 2 }}
spec:
  {{- /* The autoscaler owns the number of pods: a release that also set it would conflict with the autoscaler in a rollback. */}}
  {{- if not .s.autoscaling.enabled }}
  replicas: {{ .s.replicas }}
  {{- end }}
  revisionHistoryLimit: {{ .s.revisionHistoryLimit }}
  {{- with .s.minReadySeconds }}
  minReadySeconds: {{ . }}
  {{- end }}
  strategy:
    {{- if eq .s.strategy.type "Recreate" }}
    type: Recreate
    {{- else }}
    {{- toYaml .s.strategy | nindent 4 }}
    {{- end }}
  selector:
    matchLabels:
      {{- .selector | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "seller-open-api.podLabels" . | nindent 8 }}
        {{- with .s.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- $checksum := "" }}
      {{- if .root.Values.restartOnSecretChange }}
      {{- $checksum = include "seller-open-api.secretChecksum" . }}
      {{- end }}
      annotations:
        kubectl.kubernetes.io/default-container: {{ .name }}
        {{- with $checksum }}
        checksum/secrets: {{ . }}
        {{- end }}
        {{- with .s.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "seller-open-api.service.pod" . | nindent 6 }}
{{- end -}}

{{- define "seller-open-api.service.pod" -}}
{{- $migrates := and (has "database" .needs) .root.Values.migrations.enabled .root.Values.migrations.inPods -}}
{{- $migration := merge (dict "needs" (list "database") "migration" true "volume" "migration-secrets") . -}}
serviceAccountName: {{ include "seller-open-api.service.accountName" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- include "seller-open-api.pullSecrets" .root }}
securityContext:
  {{- toYaml .s.podSecurityContext | nindent 2 }}
terminationGracePeriodSeconds: {{ include "seller-open-api.gracePeriod" . }}
{{- with .s.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .s.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .s.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .s.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- include "seller-open-api.service.spread" . }}
{{- if or .s.extraInitContainers $migrates }}
initContainers:
  {{- with .s.extraInitContainers }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- if $migrates }}
  - {{ include "seller-open-api.migration.container" $migration | nindent 4 | trim }}
  {{- end }}
{{- end }}
containers:
  - {{ include "seller-open-api.service.container" . | nindent 4 | trim }}
  {{- with .s.extraContainers }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumes:
  {{- include "seller-open-api.secretVolume" . | nindent 2 }}
  {{- if $migrates }}
  {{- include "seller-open-api.secretVolume" $migration | nindent 2 }}
  {{- end }}
  {{- with include "seller-open-api.tlsVolume" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with include "seller-open-api.authoritiesVolume" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with .s.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The topology spread counts only the pods of one ReplicaSet; otherwise the old pods of a rollout would affect where new ones go. */}}
{{- define "seller-open-api.service.spread" -}}
{{- $selector := .selector -}}
{{- $constraints := dict "topology.kubernetes.io/zone" .s.topologySpread.zone "kubernetes.io/hostname" .s.topologySpread.node -}}
{{- if or .s.topologySpread.zone .s.topologySpread.node }}
topologySpreadConstraints:
  {{- range $key, $otherwise := $constraints }}
  {{- if $otherwise }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: {{ $otherwise }}
    # Lost or drained nodes are tainted; a zone of such nodes must not keep pods out of the other zones.
    nodeTaintsPolicy: Honor
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
  {{- end }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "seller-open-api.service.container" -}}
name: {{ .name }}
image: {{ include "seller-open-api.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [serve]
ports:
  - {name: http, containerPort: 8080, protocol: TCP}
  {{- if has "trust" .needs }}
  - {name: rpc, containerPort: 8081, protocol: TCP}
  {{- end }}
  - {name: ops, containerPort: 9090, protocol: TCP}
env:
  {{- include "seller-open-api.service.env" . | trim | nindent 2 }}
  {{- include "seller-open-api.secretEnv" . | trim | nindent 2 }}
  {{- with include "seller-open-api.authoritiesEnv" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with .s.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .s.extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
startupProbe:
  httpGet: {path: /livez, port: ops}
  {{- toYaml .s.probes.startup | nindent 2 }}
readinessProbe:
  httpGet: {path: /readyz, port: ops}
  {{- toYaml .s.probes.readiness | nindent 2 }}
livenessProbe:
  httpGet: {path: /livez, port: ops}
  {{- toYaml .s.probes.liveness | nindent 2 }}
{{- with .s.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .s.securityContext | nindent 2 }}
volumeMounts:
  {{- include "seller-open-api.secretMount" . | nindent 2 }}
  {{- with include "seller-open-api.tlsMount" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with include "seller-open-api.authoritiesMount" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with .s.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The environment variables of every service, then those of this one. */}}
{{- define "seller-open-api.service.env" -}}
{{- $v := .root.Values -}}
{{- $env := dict
  "LISTEN" (printf "public=:8080,rpc=:8081,ops=:9090%s" (ternary ",profiles=127.0.0.1:6060" "" .s.profiles))
  "DRAIN_WAIT" (printf "%ds" (int .s.drainWaitSeconds))
  "LOG_LEVEL" .s.logLevel
-}}
{{- if has "database" .needs -}}
{{- $_ := set $env "DATABASE_MAX_CONNS" (toString .s.databaseMaxConns) -}}
{{- if not $v.database.rowSecurity -}}{{- $_ := set $env "DATABASE_ROW_SECURITY" "off" -}}{{- end -}}
{{- if $v.database.transactionPooling -}}{{- $_ := set $env "DATABASE_TRANSACTION_POOLING" "true" -}}{{- end -}}
{{- end -}}
{{- if $v.tls.enabled -}}{{- $_ := set $env "TLS_DIR" (include "seller-open-api.tlsDir" .) -}}{{- end -}}
{{- with $v.signing.revokedTokens -}}{{- $_ := set $env "RPC_REVOKED_TOKENS" (join "," .) -}}{{- end -}}
{{- with $v.telemetry.otlpEndpoint -}}
{{- $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" . -}}
{{- $_ := set $env "TRACE_SAMPLE_RATIO" (toString $v.telemetry.traceSampleRatio) -}}
{{- end -}}
{{- with include "seller-open-api.goMemoryLimit" (dig "limits" "memory" "" (.s.resources | default dict)) -}}
{{- $_ := set $env "GOMEMLIMIT" . -}}
{{- end -}}
{{- range $name, $value := merge (dict) .settings $env }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}
