{{/* Rules of NetworkPolicies. A rule without peers would admit everybody, so where there are none there is no rule. */}}
{{- define "plataforma.from" -}}
{{- if .peers -}}
- from:
    {{- toYaml .peers | nindent 4 }}
  ports:
    - port: {{ .port }}
{{- end -}}
{{- end -}}

{{- define "plataforma.to" -}}
{{- if .peers -}}
- to:
    {{- toYaml .peers | nindent 4 }}
  ports:
    - port: {{ .port }}
{{- end -}}
{{- end -}}

{{- define "plataforma.toDns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dns | nindent 4 }}
  ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- end -}}

{{/* To a service's own database, and to no other where each has a cluster of its own. */}}
{{- define "plataforma.toDatabase" -}}
{{- if .root.Values.postgresql.cnpg.enabled -}}
- to:
    - podSelector:
        matchLabels:
          cnpg.io/cluster: {{ include "plataforma.databaseName" .service }}
  ports:
    - port: 5432
{{- else -}}
{{- $peers := .service.values.databasePeers | default .root.Values.postgresql.external.peers -}}
{{ include "plataforma.toServer" (dict "peers" $peers "port" .root.Values.postgresql.external.port) }}
{{- end -}}
{{- end -}}

{{- define "plataforma.toBroker" -}}
{{- if .Values.rabbitmq.operator.enabled -}}
- to:
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: {{ include "plataforma.rabbitmqName" . }}
  ports:
    - port: 5672
{{- else -}}
{{ include "plataforma.toServer" (dict "peers" .Values.rabbitmq.external.peers "port" .Values.rabbitmq.external.port) }}
{{- end -}}
{{- end -}}

{{/* A server of which values.yaml may not say where it is. */}}
{{- define "plataforma.toServer" -}}
{{- if .peers -}}
{{ include "plataforma.to" . }}
{{- else -}}
- ports:
    - port: {{ .port }}
{{- end -}}
{{- end -}}

{{- define "plataforma.toInternet" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          {{- toYaml .policy.privateRanges | nindent 10 }}
    - ipBlock:
        cidr: 2000::/3
        except:
          {{- toYaml .policy.privateRanges6 | nindent 10 }}
  ports:
    {{- if .ports }}
    {{- range .ports }}
    - port: {{ . }}
    {{- end }}
    {{- else }}
    - port: 1
      endPort: 65535
    {{- end }}
{{- end -}}
