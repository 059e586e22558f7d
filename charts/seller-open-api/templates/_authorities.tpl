{{/*
Private certificate authorities, for a database with verify-full, a Redis with rediss, the refund provider or the collector. The
services and the migrations trust them in addition to those of the system and find them through SSL_CERT_DIR. Connections to the database
and to Redis use them as they are by then, so a renewed authority needs no restart.
*/}}

{{/* The directory of the certificates. */}}
{{- define "seller-open-api.authoritiesDir" -}}/run/secrets/seller-open-api-authorities{{- end -}}

{{/* The volume with the certificates. Takes root. */}}
{{- define "seller-open-api.authoritiesVolume" -}}
{{- with .root.Values.authorities }}
- name: authorities
  projected:
    defaultMode: 0444
    sources:
      {{- range $n, $source := . }}
      - {{ ternary "secret" "configMap" (hasKey $source "secret") }}:
          name: {{ $source.secret | default $source.configMap | quote }}
          items: [{key: {{ $source.key | default "ca.crt" | quote }}, path: {{ $n }}.crt}]
      {{- end }}
{{- end }}
{{- end -}}

{{/* The mount of that volume. Takes root. */}}
{{- define "seller-open-api.authoritiesMount" -}}
{{- if .root.Values.authorities }}
- name: authorities
  mountPath: {{ include "seller-open-api.authoritiesDir" . }}
  readOnly: true
{{- end }}
{{- end -}}

{{/* The variable that names it. Takes root. */}}
{{- define "seller-open-api.authoritiesEnv" -}}
{{- if .root.Values.authorities }}
- {name: SSL_CERT_DIR, value: {{ include "seller-open-api.authoritiesDir" . }}}
{{- end }}
{{- end -}}
