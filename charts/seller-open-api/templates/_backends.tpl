{{/*
The services behind the gateway, in the order in which they are named. Everything else that the chart makes for each of them
derives from this list. A row may say, besides its name, in what the service differs from the others:

  calls     backends whose RPC it calls; their addresses are its setting UPSTREAMS, and both sides have the network policy for it
  needs     Secrets besides those that every backend is given; see _secrets.tpl
  settings  environment variables besides those that every service has
*/}}
{{- define "seller-open-api.backends" -}}
- name: orders
- name: claims
  calls: [orders]
  needs: [refunds]
  settings:
    ENVIRONMENT: {{ .Values.environment }}
    {{- with .Values.refunds.providerURL }}
    REFUND_PROVIDER_URL: {{ . | quote }}
    {{- end }}
- name: qna
{{- end -}}

{{/* The names of the services behind the gateway as a YAML list. */}}
{{- define "seller-open-api.backendNames" -}}
{{- range include "seller-open-api.backends" . | fromYamlArray }}
- {{ .name }}
{{- end }}
{{- end -}}

{{/* The names of all services as a YAML list. */}}
{{- define "seller-open-api.serviceNames" -}}
- gateway
{{- include "seller-open-api.backendNames" . }}
{{- end -}}
