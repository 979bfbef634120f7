{{/* One secret setting, by reference. */}}
{{- define "plataforma.secret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- if .optional }}
      optional: true
{{- end }}
{{ end -}}

{{/* One secret setting from the service's own Secret. */}}
{{- define "plataforma.ownSecret" -}}
{{- $key := get .service.values.secretKeys .name | default .name -}}
{{- $optional := has .name (.service.optional | default list) -}}
{{ include "plataforma.secret" (dict "name" .name "secret" .service.secret "key" $key "optional" $optional) }}
{{- end -}}

{{/* Every secret setting of a service's pods. */}}
{{- define "plataforma.secrets" -}}
{{- $service := .service -}}
{{- if not $service.stateless -}}
{{- include "plataforma.databaseSecrets" (dict "root" .root "service" $service "setting" "DATABASE_URL") -}}
{{- end -}}
{{- if $service.broker -}}
{{- include "plataforma.brokerSecret" . -}}
{{- end -}}
{{- range $service.secrets -}}
{{- include "plataforma.ownSecret" (dict "service" $service "name" .) -}}
{{- end -}}
{{- range include "plataforma.providers" . | fromYamlArray -}}
{{- range .secrets -}}
{{- include "plataforma.ownSecret" (dict "service" $service "name" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
DATABASE_URL, of the role that works with the tables, or MIGRATION_DATABASE_URL, of their owner.
With CloudNativePG, Kubernetes puts the role's name and password into the address, which also requires a valid
certificate.
*/}}
{{- define "plataforma.databaseSecrets" -}}
{{- if .root.Values.postgresql.cnpg.enabled -}}
{{- $cluster := include "plataforma.databaseName" .service -}}
{{- $isOwner := eq .setting "MIGRATION_DATABASE_URL" -}}
{{- $secret := $isOwner | ternary (printf "%s-app" $cluster) (printf "%s-role" .service.secret) -}}
{{- $part := .setting | replace "URL" "" -}}
{{- $user := printf "%sUSER" $part -}}
{{- $password := printf "%sPASSWORD" $part -}}
{{- include "plataforma.secret" (dict "name" $user "secret" $secret "key" "username") -}}
{{- include "plataforma.secret" (dict "name" $password "secret" $secret "key" "password") -}}
- name: {{ .setting }}
  value: {{ printf "postgresql://$(%s):$(%s)@%s-rw:5432/%s?sslmode=verify-full&sslrootcert=/etc/plataforma/database/ca.crt" $user $password $cluster (.service.name | replace "-" "_") }}
{{ else -}}
{{- include "plataforma.ownSecret" (dict "service" .service "name" .setting) -}}
{{- end -}}
{{- end -}}

{{/* The broker's address, with a login of each service's own. */}}
{{- define "plataforma.brokerSecret" -}}
{{- include "plataforma.ownSecret" (dict "service" .service "name" "AMQP_URL") -}}
{{- end -}}

{{/* The authority that signs the certificate of the service's database, without the authority's key. */}}
{{- define "plataforma.databaseAuthority" -}}
- name: database
  secret:
    secretName: {{ include "plataforma.databaseName" .service }}-ca
    items:
      - key: ca.crt
        path: ca.crt
{{- end -}}

{{/* The authority that signs the certificate of the release's broker, without the authority's key. */}}
{{- define "plataforma.brokerAuthority" -}}
- name: broker
  secret:
    secretName: {{ include "plataforma.brokerTlsSecret" . }}
    items:
      - key: ca.crt
        path: ca.crt
{{- end -}}

{{- define "plataforma.brokerTlsSecret" -}}
{{- .Values.rabbitmq.operator.tlsSecret | default (printf "%s-tls" (include "plataforma.rabbitmqName" .)) -}}
{{- end -}}
