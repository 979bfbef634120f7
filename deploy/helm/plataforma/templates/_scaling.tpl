{{/* The autoscaler of a service: "queue", "cpu", or nothing. A service never has both. */}}
{{- define "plataforma.scaledBy" -}}
{{- $values := .service.values -}}
{{- if and .root.Values.keda.enabled (dig "queueScaling" "enabled" false $values) -}}
queue
{{- else if $values.autoscaling.enabled -}}
cpu
{{- end -}}
{{- end -}}
