{{/* At most 30 characters: longer names are built from it, and the sandbox's Pix codes contain it. */}}
{{- define "plataforma.fullname" -}}
{{- $name := .Values.fullnameOverride -}}
{{- if not $name -}}
{{- $name = contains .Chart.Name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) -}}
{{- end -}}
{{- $name | trunc 30 | trimSuffix "-" -}}
{{- end -}}

{{/*
The services that run, as YAML. Each has its entry of topology.yaml, its values in `values`, its name in
`name`, its ports by name in `port`, the name of its objects in `fullname`, and of its Secret in `secret`.
*/}}
{{- define "plataforma.services" -}}
{{- $topology := .Files.Get "files/topology.yaml" | fromYaml -}}
{{- $running := dict -}}
{{- range $name, $values := .Values.services -}}
{{- if ne (get $values "enabled" | toString) "false" -}}
{{- $service := get $topology $name -}}
{{- $ports := list -}}
{{- $byName := dict -}}
{{- range $service.ports -}}
{{- if or (ne .name "admin") $.Values.admin.separate -}}
{{- $ports = append $ports . -}}
{{- $_ := set $byName .name .port -}}
{{- end -}}
{{- end -}}
{{- $fullname := printf "%s-%s" (include "plataforma.fullname" $) $name -}}
{{- $own := dict "name" $name "fullname" $fullname "values" $values "ports" $ports "port" $byName -}}
{{- $_ := set $own "secret" ($values.existingSecret | default $fullname) -}}
{{- $_ := set $running $name (merge $own $service) -}}
{{- end -}}
{{- end -}}
{{- toYaml $running -}}
{{- end -}}

{{/* The labels that select the pods of a component: a service, or its migration. */}}
{{- define "plataforma.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "plataforma.labels" -}}
{{ include "plataforma.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "plataforma.image" -}}
{{- $own := .service.values.image -}}
{{- $repository := $own.repository | default (printf "%s/%s" .root.Values.image.repository .service.name) -}}
{{- if $own.digest -}}
{{- printf "%s@%s" $repository $own.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository ($own.tag | default .root.Values.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* The same for every pod of a service: no rights, and no Kubernetes token. */}}
{{- define "plataforma.podDefaults" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "plataforma.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Helm reads numbers of values.yaml as floats, and would print large ones as 5e+06. */}}
{{- define "plataforma.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end -}}

{{/* The names of a service's PostgreSQL cluster and of the RabbitMQ cluster. */}}
{{- define "plataforma.databaseName" -}}
{{ .fullname }}-db
{{- end -}}

{{- define "plataforma.rabbitmqName" -}}
{{ include "plataforma.fullname" . }}-rabbitmq
{{- end -}}
