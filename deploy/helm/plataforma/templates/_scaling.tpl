{{/* What decides how many pods a service has: "queue", "cpu", or nothing. Never two for one. */}}
{{- define "plataforma.scaledBy" -}}
{{- $values := .service.values -}}
{{- if and .root.Values.keda.enabled (dig "queueScaling" "enabled" false $values) -}}
queue
{{- else if $values.autoscaling.enabled -}}
cpu
{{- end -}}
{{- end -}}
