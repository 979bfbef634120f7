{{/* The settings of a service that are not secret, as a YAML mapping of strings. */}}
{{- define "plataforma.settings" -}}
{{- $root := .root -}}
{{- $service := .service -}}
{{- $services := include "plataforma.services" $root | fromYaml -}}
{{- $settings := dict "HOST" "0.0.0.0" "NODE_ENV" "production" "LOG_LEVEL" $root.Values.logLevel -}}
{{- $_ := set $settings "DRAIN_MS" (include "plataforma.text" $root.Values.drainMs) -}}
{{- $_ := set $settings "KEEP_ALIVE_MS" (include "plataforma.text" $root.Values.keepAliveMs) -}}
{{- if not $service.stateless -}}
{{- $_ := set $settings "MIGRATE_ON_START" "false" -}}
{{- $_ := set $settings "START_DEADLINE_MS" (include "plataforma.text" $root.Values.startDeadlineMs) -}}
{{- $_ := set $settings "MESSAGES_RETENTION_DAYS" (include "plataforma.text" $root.Values.messagesRetentionDays) -}}
{{- $_ := set $settings "DATABASE_POOL_SIZE" (include "plataforma.text" $service.values.databasePoolSize) -}}
{{- $_ := set $settings "DATABASE_READS_POOL_SIZE" (include "plataforma.text" $service.values.databaseReadsPoolSize) -}}
{{- end -}}
{{- if has "EVENT_KEYS" $service.secrets -}}
{{- $_ := set $settings "EVENT_SIGNATURES" $root.Values.eventSignatures -}}
{{- end -}}
{{- if has "ROW_KEYS" $service.secrets -}}
{{- $_ := set $settings "ROW_SEALS" $root.Values.rowSeals -}}
{{- end -}}
{{- if has $service.name (list "withdrawals" "ledger") -}}
{{- $_ := set $settings "ORDER_SIGNATURES" $root.Values.orderSignatures -}}
{{- end -}}
{{- if and $service.broker (not $service.stateless) -}}
{{- $_ := set $settings "EVENT_COMPARISON_SECONDS" (include "plataforma.text" $root.Values.eventComparisonSeconds) -}}
{{- end -}}
{{- if and $service.broker $root.Values.rabbitmq.operator.enabled -}}
{{- $_ := set $settings "AMQP_CA_FILE" "/etc/plataforma/broker/ca.crt" -}}
{{- end -}}
{{- if $root.Values.metrics.enabled -}}
{{- $_ := set $settings "METRICS_PORT" (include "plataforma.text" $root.Values.metrics.port) -}}
{{- end -}}
{{- with $root.Values.traces.endpoint -}}
{{- $_ := set $settings "OTEL_EXPORTER_OTLP_ENDPOINT" . -}}
{{- end -}}
{{- range $service.ports -}}
{{- $_ := set $settings .setting (include "plataforma.text" .port) -}}
{{- end -}}
{{- range $service.calls -}}
{{- $called := get $services .service -}}
{{- if and .setting $called -}}
{{- $_ := set $settings .setting (include "plataforma.url" (dict "service" $called "port" .port)) -}}
{{- end -}}
{{- end -}}
{{- with $service.ownAddress -}}
{{- $_ := set $settings . (include "plataforma.url" (dict "service" $service "port" "http")) -}}
{{- end -}}
{{- if and (eq $service.name "withdrawals") (hasKey $services "sandbox-psp") -}}
{{- $sandbox := get $services "sandbox-psp" -}}
{{- $_ := set $settings "QR_TRUSTED_HOSTS" (printf "%s:%s" $sandbox.fullname (include "plataforma.text" $sandbox.port.http)) -}}
{{- end -}}
{{- if has $service.name (list "withdrawals" "webhooks") -}}
{{- $ranges := concat $root.Values.networkPolicy.privateRanges $root.Values.networkPolicy.privateRanges6 -}}
{{- $_ := set $settings "PRIVATE_ADDRESSES" (join "," $ranges) -}}
{{- end -}}
{{- range include "plataforma.providers" . | fromYamlArray -}}
{{- $settings = merge $settings .settings -}}
{{- end -}}
{{- if eq $service.name "web" -}}
{{- $settings = merge $settings (include "plataforma.pages" $root | fromYaml) -}}
{{- if $root.Values.ingress.enabled -}}
{{- $_ := set $settings "PUBLIC_API_URL" (printf "https://%s" $root.Values.ingress.host) -}}
{{- end -}}
{{- if $service.values.previousImage -}}
{{- $_ := set $settings "PREVIOUS_PAGES" "/tmp/previous" -}}
{{- end -}}
{{- else if and (eq $service.name "gateway") (hasKey $services "web") $root.Values.pages.dashboard.enabled -}}
{{- $_ := set $settings "WEB_URL" (printf "https://%s" $root.Values.pages.dashboard.host) -}}
{{- else if and (eq $service.name "charges") (hasKey $services "web") $root.Values.pages.checkout.enabled -}}
{{- $_ := set $settings "PUBLIC_CHECKOUT_URL" (printf "https://%s" $root.Values.pages.checkout.host) -}}
{{- end -}}
{{- $settings = merge $settings ($service.settings | default dict) -}}
{{- range $name, $value := $service.values.config -}}
{{- $_ := set $settings $name (include "plataforma.text" $value) -}}
{{- end -}}
{{- if and (eq $service.name "web") (not (get $settings "PUBLIC_URL")) -}}
{{- fail "services.web needs a way in: enable pages.dashboard or pages.checkout, or set services.web.config.PUBLIC_URL" -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{/* The pages that have an ingress, and their hosts. Neither host serves the other page. */}}
{{- define "plataforma.pages" -}}
{{- $settings := dict -}}
{{- $open := list -}}
{{- range $page := list "dashboard" "checkout" -}}
{{- $ingress := get $.Values.pages $page -}}
{{- if $ingress.enabled -}}
{{- $open = append $open $page -}}
{{- $_ := set $settings (printf "%s_HOST" (upper $page)) $ingress.host -}}
{{- if not (hasKey $settings "PUBLIC_URL") -}}
{{- $_ := set $settings "PUBLIC_URL" (printf "https://%s" $ingress.host) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $open -}}
{{- $_ := set $settings "PAGES" (join "," $open) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{- define "plataforma.url" -}}
{{- printf "http://%s:%s" .service.fullname (include "plataforma.text" (get .service.port .port)) -}}
{{- end -}}

{{/*
The providers of a service, as a YAML array: `settings` that are not secret, the names of `secrets`, and
`tlsSecret` with its mount path in `folder`.
*/}}
{{- define "plataforma.providers" -}}
{{- $root := .root -}}
{{- $sandbox := get (include "plataforma.services" $root | fromYaml) "sandbox-psp" -}}
{{- $providers := list -}}
{{- range $kind, $facts := .service.providers -}}
{{- range $environment, $values := get $root.Values.providers $kind -}}
{{- $ownBank := and (not (empty $sandbox)) (eq $environment "sandbox") (empty $values.url) -}}
{{- if or $values.enabled $ownBank -}}
{{- $prefix := printf "%s_%s" $kind $environment | upper -}}
{{- $url := $values.url -}}
{{- if $ownBank -}}
{{- $url = printf "%s%s" (include "plataforma.url" (dict "service" $sandbox "port" "http")) $facts.sandboxPath -}}
{{- end -}}
{{- $url = required (printf "providers.%s.%s.url is missing" $kind $environment) $url -}}
{{- $settings := dict (printf "%s_URL" $prefix) $url -}}
{{- if eq $kind "pix" -}}
{{- $_ := set $settings (printf "%s_REFUNDS" $prefix) (toString $values.refunds) -}}
{{- else if eq $kind "card" -}}
{{- $tokenizeUrl := $values.tokenizeUrl | default ($ownBank | ternary (printf "%s/tokens" $url) "") -}}
{{- $tokenizeUrl = required (printf "providers.card.%s.tokenizeUrl is missing" $environment) $tokenizeUrl -}}
{{- $_ := set $settings (printf "%s_TOKENIZE_URL" $prefix) $tokenizeUrl -}}
{{- end -}}
{{- $folder := printf "/etc/plataforma/%s-%s" $kind $environment -}}
{{- if $values.tlsSecret -}}
{{- $_ := set $settings (printf "%s_CERT_FILE" $prefix) (printf "%s/tls.crt" $folder) -}}
{{- $_ := set $settings (printf "%s_KEY_FILE" $prefix) (printf "%s/tls.key" $folder) -}}
{{- end -}}
{{- if $values.tlsAuthority -}}
{{- $_ := set $settings (printf "%s_CA_FILE" $prefix) (printf "%s/ca.crt" $folder) -}}
{{- end -}}
{{- $secrets := list -}}
{{- range $facts.secrets -}}
{{- $secrets = append $secrets (printf "%s_%s" $prefix .) -}}
{{- end -}}
{{- $provider := dict "settings" $settings "secrets" $secrets "tlsSecret" $values.tlsSecret "folder" $folder -}}
{{- $providers = append $providers (merge $provider (dict "name" (printf "%s-%s" $kind $environment))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $providers -}}
{{- end -}}
