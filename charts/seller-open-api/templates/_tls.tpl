{{/*
TLS between services. The Secret of a service is mounted as a whole and by itself: the kubelet brings a renewed certificate into the
running pod, and the service takes it from there. So it is in no checksum that restarts pods.
*/}}

{{/* http or https, which the services speak. Takes the chart's context. */}}
{{- define "seller-open-api.scheme" -}}
{{- ternary "https" "http" .Values.tls.enabled -}}
{{- end -}}

{{/* Where the certificates are. */}}
{{- define "seller-open-api.tlsDir" -}}/run/secrets/seller-open-api-tls{{- end -}}

{{/* The Secret with the certificate of a service. Takes root and name. */}}
{{- define "seller-open-api.tlsSecret" -}}
{{- index .root.Values.tls.secretNames .name | default (printf "%s-%s-tls" (include "seller-open-api.fullname" .root) .name) -}}
{{- end -}}

{{/* The volume with the certificates, readable by the pod's group only. Takes root and name, and for clients only authority. */}}
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
