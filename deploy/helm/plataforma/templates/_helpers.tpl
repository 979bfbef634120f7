{{/* Short enough that all names made of it fit, and that the sandbox's Pix codes have room for its address. */}}
{{- define "plataforma.fullname" -}}
{{- $name := .Values.fullnameOverride -}}
{{- if not $name -}}
{{- $name = contains .Chart.Name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) -}}
{{- end -}}
{{- $name | trunc 30 | trimSuffix "-" -}}
{{- end -}}

{{/*
The services that run, as YAML: what topology.yaml says of each, and its values under `values`, its name under
`name`, its ports by name under `port`, what all that is its own is called under `fullname`, its Secret under `secret`.
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

{{/* Which pods are those of a component: of a service, or of its migration. */}}
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

{{/* What is the same for every pod of ours: it may do nothing, and asks nothing of Kubernetes. */}}
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

{{/* A number of values.yaml is a float to Helm, and a big one would read 5e+06. */}}
{{- define "plataforma.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end -}}

{{/* The name of the servers' resources: of a service's PostgreSQL cluster, of the RabbitMQ cluster. */}}
{{- define "plataforma.databaseName" -}}
{{ .fullname }}-db
{{- end -}}

{{- define "plataforma.rabbitmqName" -}}
{{ include "plataforma.fullname" . }}-rabbitmq
{{- end -}}
