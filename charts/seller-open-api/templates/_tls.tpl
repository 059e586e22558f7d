{{/*
TLS between services. The Secret of a service is mounted as its own volume: the kubelet updates a renewed certificate in the
running pod, and the service reloads it. So it is not part of the checksum that restarts pods.
*/}}

{{/* The URL scheme of the services, http or https. Takes the chart's context. */}}
{{- define "seller-open-api.scheme" -}}
{{- ternary "https" "http" .Values.tls.enabled -}}
{{- end -}}

{{/* The directory of the certificates. */}}
{{- define "seller-open-api.tlsDir" -}}/run/secrets/seller-open-api-tls{{- end -}}

{{/* The Secret with the certificate of a service. Takes root and name. */}}
{{- define "seller-open-api.tlsSecret" -}}
{{- index .root.Values.tls.secretNames .name | default (printf "%s-%s-tls" (include "seller-open-api.fullname" .root) .name) -}}
{{- end -}}

{{/* The volume with the certificates, readable by the pod's group only. Takes root, name, and authority for a mere client. */}}
{{- define "seller-open-api.tlsVolume" -}}
{{- if .root.Values.tls.enabled }}
- name: tls
  secret:
    secretName: {{ include "seller-open-api.tlsSecret" . | quote }}
    defaultMode: 0440
    {{- if .authority }}
    items: [{key: ca.crt, path: ca.crt}]
    {{- end }}
{{- end }}
{{- end -}}

{{/* The mount of that volume. Takes root. */}}
{{- define "seller-open-api.tlsMount" -}}
{{- if .root.Values.tls.enabled }}
- name: tls
  mountPath: {{ include "seller-open-api.tlsDir" . }}
  readOnly: true
{{- end }}
{{- end -}}
