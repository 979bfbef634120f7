{{/* Rules of NetworkPolicies. Without peers the rule is omitted, because it would admit every address. */}}
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

{{/* Admits connections to a service's own database; with CloudNativePG to no other service's cluster. */}}
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
{{ include "plataforma.to" (dict "peers" $peers "port" .root.Values.postgresql.external.port) }}
{{- end -}}
{{- end -}}

{{- define "plataforma.toBroker" -}}
{{- if .Values.rabbitmq.operator.enabled -}}
- to:
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: {{ include "plataforma.rabbitmqName" . }}
  ports:
    - port: 5671
{{- else -}}
{{ include "plataforma.to" (dict "peers" .Values.rabbitmq.external.peers "port" .Values.rabbitmq.external.port) }}
{{- end -}}
{{- end -}}

{{/*
Fails without the addresses of external servers. A default would open their ports at every address, including
the internet, to a compromised pod.
*/}}
{{- define "plataforma.demandPeers" -}}
{{- $missing := list -}}
{{- if not (or .Values.postgresql.cnpg.enabled .Values.postgresql.external.peers) -}}
{{- $unplaced := list -}}
{{- range $name, $service := include "plataforma.services" . | fromYaml -}}
{{- if not (or $service.stateless $service.values.databasePeers) -}}
{{- $unplaced = append $unplaced $name -}}
{{- end -}}
{{- end -}}
{{- if $unplaced -}}
{{- $missing = append $missing (printf "postgresql.external.peers (or databasePeers of %s)" (join ", " $unplaced)) -}}
{{- end -}}
{{- end -}}
{{- if not (or .Values.rabbitmq.operator.enabled .Values.rabbitmq.external.peers) -}}
{{- $missing = append $missing "rabbitmq.external.peers" -}}
{{- end -}}
{{- if $missing -}}
{{- fail (printf "networkPolicy.enabled needs to know where the servers are: set %s, for example to [{ipBlock: {cidr: 10.0.0.5/32}}]" (join " and " $missing)) -}}
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
