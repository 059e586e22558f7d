{{/*
Names, labels and small computations that several templates share. The context of "root" templates is the chart's;
the others take the dict that _service.tpl builds: root, name (of the service), s (its values over the defaults).
*/}}

{{/* The prefix of the names of all objects. */}}
{{- define "seller-open-api.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $chart := default .Chart.Name .Values.nameOverride -}}
{{- if contains $chart .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $chart | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Labels that select all pods of the release. They must never change, because selectors of Deployments are immutable. */}}
{{- define "seller-open-api.releaseSelector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Labels that select the pods of one component. Takes root and component. */}}
{{- define "seller-open-api.selector" -}}
{{ include "seller-open-api.releaseSelector" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Labels of an object. Takes root and component. */}}
{{- define "seller-open-api.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "seller-open-api.selector" . }}
app.kubernetes.io/part-of: seller-open-api
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Labels of a pod. They do not contain the chart's version, so that an upgrade which changes nothing else restarts no pod.
Takes root and component. */}}
{{- define "seller-open-api.podLabels" -}}
{{ include "seller-open-api.selector" . }}
app.kubernetes.io/part-of: seller-open-api
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Name, namespace, labels and annotations of an object. Takes root, component, and optionally name (instead of release and
component), labels and annotations. */}}
{{- define "seller-open-api.metadata" -}}
name: {{ .name | default (printf "%s-%s" (include "seller-open-api.fullname" .root) .component) }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "seller-open-api.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The image of a service: its own value for the whole reference, or registry and name with the digest or else the tag. */}}
{{- define "seller-open-api.image" -}}
{{- $i := .root.Values.image -}}
{{- if .s.image -}}
{{- .s.image -}}
{{- else if index $i.digests .name -}}
{{- printf "%s/%s@%s" (trimSuffix "/" $i.registry) .name (index $i.digests .name) -}}
{{- else -}}
{{- printf "%s/%s:%s" (trimSuffix "/" $i.registry) .name ($i.tag | default .root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* The address of a service, in the format of its callers' setting UPSTREAMS. Takes root, name, port. */}}
{{- define "seller-open-api.upstream" -}}
{{- printf "%s=%s://%s-%s:%s" .name (include "seller-open-api.scheme" .root) (include "seller-open-api.fullname" .root) .name (include "seller-open-api.servicePort" .) -}}
{{- end -}}

{{/* Seconds that a pod of the service has to terminate; see pkg/service for how it uses them. */}}
{{- define "seller-open-api.gracePeriod" -}}
{{- add .s.drainWaitSeconds 35 10 -}}
{{- end -}}

{{/*
The most pods of a service at once, which is in a rollout: the new ones, those beyond their number, and the old ones that finish their
requests. A Deployment does not count the last. Old pods stop in steps that are at least minReadySeconds apart, and each finishes within
drainWaitSeconds and 35 seconds. Takes s, the values of the service, and pods.
*/}}
{{- define "seller-open-api.podsInRollout" -}}
{{- if eq .s.strategy.type "Recreate" -}}
{{- .pods -}}
{{- else -}}
{{- $rolling := .s.strategy.rollingUpdate | default dict -}}
{{- $surge := include "seller-open-api.part" (dict "count" (dig "maxSurge" "25%" $rolling) "of" .pods) | int -}}
{{- $step := add $surge (include "seller-open-api.part" (dict "count" (dig "maxUnavailable" "25%" $rolling) "of" .pods) | int) -}}
{{- $stopping := int .pods -}}
{{- with int .s.minReadySeconds -}}
{{- $stopping = min $stopping (mul $step (div (add $.s.drainWaitSeconds 35 . -1) .)) -}}
{{- end -}}
{{- add .pods $surge $stopping -}}
{{- end -}}
{{- end -}}

{{/* A number of pods that may be a percentage, rounded up. Takes count and of. */}}
{{- define "seller-open-api.part" -}}
{{- if hasSuffix "%" (toString .count) -}}
{{- div (add (mul (trimSuffix "%" .count | int) .of) 99) 100 -}}
{{- else -}}
{{- int .count -}}
{{- end -}}
{{- end -}}

{{/* Nine tenths of a memory limit in MiB for GOMEMLIMIT; nothing for a limit that is not in Mi or Gi. */}}
{{- define "seller-open-api.goMemoryLimit" -}}
{{- $limit := toString . -}}
{{- if hasSuffix "Mi" $limit -}}
{{- printf "%dMiB" (div (mul (trimSuffix "Mi" $limit | int64) 9) 10) -}}
{{- else if hasSuffix "Gi" $limit -}}
{{- printf "%dMiB" (div (mul (trimSuffix "Gi" $limit | int64) 9216) 10) -}}
{{- end -}}
{{- end -}}

{{/* A Kubernetes quantity as a number. */}}
{{- define "seller-open-api.quantity" -}}
{{- $text := toString . -}}
{{- $units := dict "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $unit := regexFind "[a-zA-Z]+$" $text -}}
{{- mulf (trimSuffix $unit $text | float64) (index $units $unit | default 1 | float64) -}}
{{- end -}}

{{/* Whether to create a monitoring object: "true" or nothing. Takes root and enabled (auto, always, never). */}}
{{- define "seller-open-api.monitored" -}}
{{- if or (eq .enabled "always") (and (eq .enabled "auto") (.root.Capabilities.APIVersions.Has "monitoring.coreos.com/v1")) -}}
true
{{- end -}}
{{- end -}}

{{/* imagePullSecrets of a pod. Takes the chart's context. */}}
{{- define "seller-open-api.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The host name of the console. Takes the chart's context. */}}
{{- define "seller-open-api.consoleHost" -}}
{{- (urlParse .Values.console.publicURL).hostname -}}
{{- end -}}
