{{/*
The Job that migrates a service's schema before its new pods start, unless migrations.inPods. Any number of these Jobs may run at
once. It gets the same values as the service's pods, but of the secrets only the connection string. Sidecars run as init containers
with restartPolicy Always, so that the Job completes without waiting for them. Old pods continue to serve meanwhile, so a migration
must leave the schema usable for them.
*/}}
{{- define "seller-open-api.migration" -}}
{{- $component := printf "%s-migrate" .name -}}
{{- $ctx := merge (dict "needs" (list "database") "migration" true) . -}}
{{- $m := .root.Values.migrations -}}
apiVersion: batch/v1
kind: Job
metadata:
  {{- $hook := dict "helm.sh/hook" "pre-install,pre-upgrade" "helm.sh/hook-weight" "0" "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" }}
  {{- include "seller-open-api.metadata" (dict "root" .root "component" $component "annotations" $hook) | nindent 2 }}
spec:
  backoffLimit: {{ $m.backoffLimit }}
  activeDeadlineSeconds: {{ $m.activeDeadlineSeconds }}
  template:
    metadata:
      labels:
        {{- include "seller-open-api.podLabels" (dict "root" .root "component" $component) | nindent 8 }}
        {{- with .s.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with merge (dict) $m.podAnnotations .s.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      restartPolicy: Never
      # The accounts that the release creates do not exist yet when the first migration runs; an existing account can be used.
      {{- if or $m.serviceAccount.create $m.serviceAccount.name }}
      serviceAccountName: {{ include "seller-open-api.migrationAccount" .root }}
      {{- else if and .s.serviceAccount.name (not .s.serviceAccount.create) }}
      serviceAccountName: {{ .s.serviceAccount.name }}
      {{- end }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with include "seller-open-api.pullSecrets" .root | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      securityContext:
        {{- toYaml .s.podSecurityContext | nindent 8 }}
      {{- with .s.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .s.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .s.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .s.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with include "seller-open-api.endingInitContainers" .s | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      containers:
        - {{ include "seller-open-api.migration.container" $ctx | nindent 10 | trim }}
      volumes:
        {{- include "seller-open-api.secretVolume" $ctx | nindent 8 }}
        {{- with include "seller-open-api.authoritiesVolume" . | trim }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with .s.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end -}}

{{/* The container that migrates. Takes the context of the service with the needs of a migration. In a pod of the service it is an init
container, and its connection string is in a volume that the service's container does not mount. */}}
{{- define "seller-open-api.migration.container" -}}
name: migrate
image: {{ include "seller-open-api.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [migrate]
env:
  {{- if ne .name "gateway" }}
  - {name: ENVIRONMENT, value: {{ .root.Values.environment }}}
  {{- end }}
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
{{- with .root.Values.migrations.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .s.securityContext | nindent 2 }}
volumeMounts:
  {{- include "seller-open-api.secretMount" . | nindent 2 }}
  {{- with include "seller-open-api.authoritiesMount" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with .s.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The init containers of a pod that runs to completion. Sidecars are among them, with restartPolicy Always. Takes the values of the
service. */}}
{{- define "seller-open-api.endingInitContainers" -}}
{{- if or .extraInitContainers .extraContainers }}
initContainers:
  {{- with .extraInitContainers }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- range .extraContainers }}
  - {{ merge (dict "restartPolicy" "Always") . | toYaml | nindent 4 | trim }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Whether Jobs migrate: "true" or nothing. Takes the chart's context. */}}
{{- define "seller-open-api.migrationJobs" -}}
{{- if and .Values.migrations.enabled (not .Values.migrations.inPods) -}}true{{- end -}}
{{- end -}}

{{/* The account of the migrations. Takes the chart's context. */}}
{{- define "seller-open-api.migrationAccount" -}}
{{- .Values.migrations.serviceAccount.name | default (printf "%s-migrate" (include "seller-open-api.fullname" .)) -}}
{{- end -}}

{{/* The annotations of what the Jobs need: it is created before them, and deleted after them. */}}
{{- define "seller-open-api.beforeMigrations" -}}
{helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-weight: "-1", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}
{{- end -}}
