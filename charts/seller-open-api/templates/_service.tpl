{{/*
All objects of one service. Its callers, gateway.yaml, backends.yaml and console.yaml, pass only what distinguishes the services:

  name      the service; also its schema, its image and its block of values
  needs     what it gets secret files for: database, replica, redis, trust, signs, cursor, apiKeys, refunds, openID, collector. A
            service with "database" is migrated, one with "trust" has an RPC port
  settings  its environment variables in addition to those that every service has
  calls     services that it calls, as a dict of name to port
  callers   services that call it, in the same form

The order of the objects is the order of the sections below.
*/}}
{{- define "seller-open-api.service" -}}
{{- $s := mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index .root.Values .name | default dict)) -}}
{{- $ctx := merge (dict "s" $s "component" .name "selector" (include "seller-open-api.selector" (dict "root" .root "component" .name))) . -}}
{{- if and $s.serviceAccount.create }}
{{ include "seller-open-api.service.account" $ctx }}
---
{{- end }}
{{ include "seller-open-api.service.service" $ctx }}
---
{{ include "seller-open-api.service.deployment" $ctx }}
{{- if $s.autoscaling.enabled }}
---
{{ include "seller-open-api.service.autoscaler" $ctx }}
{{- end }}
{{- if $s.podDisruptionBudget.enabled }}
---
{{ include "seller-open-api.service.disruptionBudget" $ctx }}
{{- end }}
{{- if .root.Values.networkPolicy.enabled }}
---
{{ include "seller-open-api.service.networkPolicy" $ctx }}
{{- end }}
{{- if and (has "database" .needs) (include "seller-open-api.migrationJobs" .root) }}
---
{{ include "seller-open-api.migration" $ctx }}
{{- end }}
{{- end -}}

{{/* The account has no rights; it exists so that policies and service meshes can tell the services apart. */}}
{{- define "seller-open-api.service.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "seller-open-api.metadata" (dict "root" .root "component" .component "name" .s.serviceAccount.name "annotations" .s.serviceAccount.annotations) | nindent 2 }}
automountServiceAccountToken: false
{{- end -}}

{{- define "seller-open-api.service.accountName" -}}
{{- if .s.serviceAccount.name -}}
{{- .s.serviceAccount.name -}}
{{- else if .s.serviceAccount.create -}}
{{- include "seller-open-api.fullname" .root }}-{{ .name }}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "seller-open-api.service.service" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "seller-open-api.metadata" (dict "root" .root "component" .component "annotations" .s.service.annotations) | nindent 2 }}
spec:
  type: {{ .s.service.type }}
  {{- with .s.service.loadBalancerClass }}
  loadBalancerClass: {{ . }}
  {{- end }}
  {{- with .s.service.externalTrafficPolicy }}
  externalTrafficPolicy: {{ . }}
  {{- end }}
  selector:
    {{- .selector | nindent 4 }}
  ports:
    - {name: http, port: {{ .s.service.ports.http }}, targetPort: http, protocol: TCP, appProtocol: {{ include "seller-open-api.scheme" .root }}}
    {{- if has "trust" .needs }}
    - {name: rpc, port: {{ .s.service.ports.rpc }}, targetPort: rpc, protocol: TCP, appProtocol: {{ include "seller-open-api.scheme" .root }}}
    {{- end }}
    - {name: ops, port: {{ .s.service.ports.ops }}, targetPort: ops, protocol: TCP, appProtocol: http}
{{- end -}}

{{/* A port of a service's Service, which may differ from that of its pods. Takes root, name and port (http, rpc, ops). */}}
{{- define "seller-open-api.servicePort" -}}
{{- $defaults := .root.Values.defaults.service.ports -}}
{{- $own := dig "service" "ports" dict (index .root.Values .name | default dict) -}}
{{- index (merge (dict) $own $defaults) .port -}}
{{- end -}}

{{/* The autoscaler adds pods by CPU use, and by memory use if that is set. */}}
{{- define "seller-open-api.service.autoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "seller-open-api.metadata" (dict "root" .root "component" .component) | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "seller-open-api.fullname" .root }}-{{ .name }}
  {{- with .s.autoscaling }}
  minReplicas: {{ .minReplicas }}
  maxReplicas: {{ .maxReplicas }}
  metrics:
    {{- if .targetCPUPercent }}
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ .targetCPUPercent }}}}
    {{- end }}
    {{- if .targetMemoryPercent }}
    - type: Resource
      resource: {name: memory, target: {type: Utilization, averageUtilization: {{ .targetMemoryPercent }}}}
    {{- end }}
  {{- with .behavior }}
  behavior:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end -}}

{{- define "seller-open-api.service.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "seller-open-api.metadata" (dict "root" .root "component" .component) | nindent 2 }}
spec:
  maxUnavailable: {{ .s.podDisruptionBudget.maxUnavailable }}
  # A pod that is not ready serves no requests, so it must not hold up the draining of its node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- .selector | nindent 6 }}
{{- end -}}
