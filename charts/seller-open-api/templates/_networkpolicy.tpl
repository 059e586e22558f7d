{{/* What may connect to a service and where it may connect. Context as in _service.tpl; networkpolicies.yaml denies everything
else. Probes come from the node and are always allowed. */}}

{{- define "seller-open-api.service.networkPolicy" -}}
{{- $root := .root -}}
{{- $policy := .root.Values.networkPolicy -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "seller-open-api.metadata" (dict "root" .root "component" .component) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- .selector | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if has .name (list "gateway" "console") }}
    - ports: [{protocol: TCP, port: 8080}]
      {{- with $policy.publicFrom }}
      from:
        {{- toYaml . | nindent 8 }}
        {{- if eq $.name "gateway" }}
        - podSelector:
            matchLabels:
              {{- include "seller-open-api.selector" (dict "root" $root "component" "smoke-test") | nindent 14 }}
        {{- end }}
      {{- end }}
    {{- end }}
    {{- range $caller, $ports := .callers }}
    - ports: [{{ range $n, $port := $ports }}{{ if $n }}, {{ end }}{protocol: TCP, port: {{ $port }}}{{ end }}]
      from:
        - podSelector:
            matchLabels:
              {{- include "seller-open-api.selector" (dict "root" $root "component" $caller) | nindent 14 }}
    {{- end }}
    {{- with and (has "trust" .needs) $policy.rpcFrom }}
    - ports: [{protocol: TCP, port: 8081}]
      from:
        {{- toYaml . | nindent 8 }}
    {{- end }}
    {{- with $policy.metricsFrom }}
    - ports: [{protocol: TCP, port: 9090}]
      from:
        {{- toYaml . | nindent 8 }}
    {{- end }}
    {{- with .s.networkPolicy.extraIngress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  egress:
    {{- include "seller-open-api.egress.dns" .root | nindent 4 }}
    {{- if has "database" .needs }}
    {{- include "seller-open-api.egress.database" .root | nindent 4 }}
    {{- end }}
    {{- if has "redis" .needs }}
    {{- include "seller-open-api.egress" (dict "ports" $policy.redisPorts "to" $policy.redisTo) | nindent 4 }}
    {{- end }}
    {{- if and (has "refunds" .needs) .root.Values.refunds.providerURL }}
    {{- include "seller-open-api.egress" (dict "ports" $policy.refundsPorts "to" $policy.refundsTo) | nindent 4 }}
    {{- end }}
    {{- if has "openID" .needs }}
    {{- include "seller-open-api.egress" (dict "ports" $policy.openIDPorts "to" $policy.openIDTo) | nindent 4 }}
    {{- end }}
    {{- if and (eq .name "gateway") .root.Values.webhooks.enabled }}
    {{- include "seller-open-api.egress" (dict "ports" $policy.webhooksPorts "to" $policy.webhooksTo) | nindent 4 }}
    {{- end }}
    {{- if .root.Values.telemetry.otlpEndpoint }}
    {{- include "seller-open-api.egress" (dict "ports" $policy.otlpPorts "to" $policy.otlpTo) | nindent 4 }}
    {{- end }}
    {{- range $called, $ports := .calls }}
    - ports: [{{ range $n, $port := $ports }}{{ if $n }}, {{ end }}{protocol: TCP, port: {{ $port }}}{{ end }}]
      to:
        - podSelector:
            matchLabels:
              {{- include "seller-open-api.selector" (dict "root" $root "component" $called) | nindent 14 }}
    {{- end }}
    {{- with .s.networkPolicy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* One egress rule. Takes ports and to. */}}
{{- define "seller-open-api.egress" -}}
- ports:
    {{- range .ports }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "seller-open-api.egress.dns" -}}
- ports: [{protocol: UDP, port: 53}, {protocol: TCP, port: 53}]
  {{- with .Values.networkPolicy.dnsTo }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "seller-open-api.egress.database" -}}
{{- include "seller-open-api.egress" (dict "ports" .Values.networkPolicy.databasePorts "to" .Values.networkPolicy.databaseTo) -}}
{{- end -}}
