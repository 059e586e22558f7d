{{/*
The services behind the gateway, in the order in which they are listed elsewhere. Everything that the chart creates for each of
them derives from this list. Besides the name, a row may have what distinguishes the service from the others:

  calls     backends whose RPC it calls; their addresses are its setting UPSTREAMS, and the network policies of both sides allow it
  needs     Secrets in addition to those that every backend gets; see _secrets.tpl
  settings  environment variables in addition to those that every service has
*/}}
{{- define "seller-open-api.backends" -}}
- name: orders
  settings:
    ENVIRONMENT: {{ .Values.environment }}
    {{- include "seller-open-api.periods.orders" . | nindent 4 }}
- name: claims
  calls: [orders]
  needs: [refunds]
  settings:
    ENVIRONMENT: {{ .Values.environment }}
    {{- include "seller-open-api.periods.claims" . | nindent 4 }}
    {{- with .Values.refunds.providerURL }}
    REFUND_PROVIDER_URL: {{ . | quote }}
    {{- end }}
- name: qna
  settings: {ENVIRONMENT: {{ .Values.environment }}}
{{- end -}}

{{/* The periods of a service as its settings. The gateway has those of both services, to document them for developers. */}}
{{- define "seller-open-api.periods.orders" -}}
{{- with .Values.periods.confirmAfter }}
CONFIRM_AFTER: {{ . | quote }}
{{- end }}
{{- with .Values.periods.confirmAfterClaim }}
CONFIRM_AFTER_CLAIM: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "seller-open-api.periods.claims" -}}
{{- with .Values.periods.request }}
REQUEST_PERIOD: {{ . | quote }}
{{- end }}
{{- with .Values.periods.inspection }}
INSPECTION_PERIOD: {{ . | quote }}
{{- end }}
{{- with .Values.periods.payment }}
PAYMENT_PERIOD: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* The names of the services behind the gateway as a YAML list. */}}
{{- define "seller-open-api.backendNames" -}}
{{- range include "seller-open-api.backends" . | fromYamlArray }}
- {{ .name }}
{{- end }}
{{- end -}}

{{/* The names of all services with a schema as a YAML list. */}}
{{- define "seller-open-api.serviceNames" -}}
- gateway
{{- include "seller-open-api.backendNames" . }}
{{- end -}}

{{/* The names of all services that are installed as a YAML list. */}}
{{- define "seller-open-api.installedNames" -}}
{{- include "seller-open-api.serviceNames" . }}
{{- if .Values.console.enabled }}
- console
{{- end }}
{{- end -}}
