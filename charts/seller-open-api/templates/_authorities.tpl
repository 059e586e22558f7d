{{/*
Certificate authorities of one's own, for a database with verify-full, a Redis with rediss, a provider or a collector. They are
trusted beside those of the system, by the services and by the migrations; the programs find them by SSL_CERT_DIR.
*/}}

{{/* Where the certificates are. */}}
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
