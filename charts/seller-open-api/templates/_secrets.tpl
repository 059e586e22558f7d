{{/*
A service gets keys and passwords as files: the environment variable NAME_FILE names the file with the value of the setting
NAME. The content of a file appears neither in the pod's description nor in the dump of a crashing process. A pod gets no private
key but its own; every service has the public keys, which are in a ConfigMap.
*/}}

{{/* The directory of the files. */}}
{{- define "seller-open-api.secretsDir" -}}/run/secrets/seller-open-api{{- end -}}

{{/* The settings of a service that are read from files, as a YAML list of {setting, kind, object, key}, where object is the Secret or
ConfigMap. Takes root, name, needs. */}}
{{- define "seller-open-api.secretSettings" -}}
{{- $v := .root.Values -}}
{{- $key := printf "%s-url" .name -}}
{{- if and .migration $v.database.separateMigrationRole -}}{{- $key = printf "%s-migration-url" .name -}}{{- end -}}
{{- $replica := list -}}
{{- if $v.database.replica -}}{{- $replica = list (list "DATABASE_REPLICA_URL" $v.database.existingSecret (printf "%s-replica-url" .name)) -}}{{- end -}}
{{- $all := dict
  "database" (list (list "DATABASE_URL" $v.database.existingSecret $key))
  "replica" $replica
  "redis" (list (list "REDIS_URL" $v.redis.existingSecret $v.redis.urlKey))
  "trust" (list (list "TRUSTED_KEYS" $v.signing.trustedKeysConfigMap $v.signing.trustedKeysKey))
  "signs" (list (list "SIGNING_KEY" (get $v.signing.privateKeys .name | default (printf "%s-%s" $v.signing.existingSecret .name)) $v.signing.privateKeyKey))
  "cursor" (list (list "CURSOR_KEYS" $v.signing.existingSecret $v.signing.cursorKeysKey))
  "apiKeys" (list (list "KEY_PEPPER" $v.apiKeys.existingSecret $v.apiKeys.pepperKey) (list "KEY_ENCRYPTION_KEYSET" $v.apiKeys.existingSecret $v.apiKeys.keysetKey))
  "refunds" (ternary (list (list "REFUND_PROVIDER_KEYS" $v.refunds.existingSecret $v.refunds.keysKey)) list (ne $v.refunds.providerURL ""))
  "openID" (list (list "OIDC_CLIENT_SECRET" $v.console.oidc.existingSecret $v.console.oidc.clientSecretKey))
  "collector" (list (list "OTEL_EXPORTER_OTLP_CERTIFICATE" $v.telemetry.otlpSecret $v.telemetry.otlpCertificateKey))
-}}
{{- range .needs }}
{{- range index $all . }}
{{- if last . }}
- {setting: {{ first . }}, kind: {{ ternary "ConfigMap" "Secret" (eq (first .) "TRUSTED_KEYS") }}, object: {{ index . 1 | quote }}, key: {{ last . | quote }}}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Environment variables that name the files. */}}
{{- define "seller-open-api.secretEnv" -}}
{{- $dir := include "seller-open-api.secretsDir" . -}}
{{- range include "seller-open-api.secretSettings" . | fromYamlArray }}
{{- /* The exporter's own variable already takes a file name. */}}
- name: {{ .setting }}{{ if ne .setting "OTEL_EXPORTER_OTLP_CERTIFICATE" }}_FILE{{ end }}
  value: {{ $dir }}/{{ .setting }}
{{- end }}
{{- if and (has "collector" .needs) .root.Values.telemetry.otlpHeadersKey }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom:
    secretKeyRef: {name: {{ .root.Values.telemetry.otlpSecret | quote }}, key: {{ .root.Values.telemetry.otlpHeadersKey | quote }}}
{{- end }}
{{- end -}}

{{/* The volume with the files, readable by the pod's group only. */}}
{{- define "seller-open-api.secretVolume" -}}
- name: {{ .volume | default "secrets" }}
  projected:
    defaultMode: 0440
    sources:
      {{- range include "seller-open-api.secretSettings" . | fromYamlArray }}
      - {{ untitle .kind }}:
          name: {{ .object | quote }}
          items: [{key: {{ .key | quote }}, path: {{ .setting }}}]
      {{- end }}
{{- end -}}

{{/* The mount of that volume. */}}
{{- define "seller-open-api.secretMount" -}}
- name: {{ .volume | default "secrets" }}
  mountPath: {{ include "seller-open-api.secretsDir" . }}
  readOnly: true
{{- end -}}

{{/* A digest of the current content of the service's Secrets and ConfigMaps in the cluster, so that an upgrade after a change restarts
the pods. Empty without access to the cluster (helm template). */}}
{{- define "seller-open-api.secretChecksum" -}}
{{- $root := .root -}}
{{- $content := list -}}
{{- range $item := include "seller-open-api.secretSettings" . | fromYamlArray -}}
{{- with lookup "v1" $item.kind $root.Release.Namespace $item.object -}}
{{- $content = append $content (get (.data | default dict) $item.key) -}}
{{- end -}}
{{- end -}}
{{- with $content -}}{{- join "\n" . | sha256sum -}}{{- end -}}
{{- end -}}
