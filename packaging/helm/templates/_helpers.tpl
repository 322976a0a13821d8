{{/* The name of all objects. Names of pods add characters to it. */}}
{{- define "vault.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "vault.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "vault.labels" -}}
{{ include "vault.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "vault.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* What neither container needs. */}}
{{- define "vault.restricted" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Settings that the chart sets itself. */}}
{{- define "vault.settings" -}}
VAULT_DATABASE_URL: {{ .Values.database.url | quote }}
VAULT_DATABASE_USER: {{ .Values.database.user | quote }}
VAULT_DATABASE_PASSWORD_FILE: /etc/token-vault/database/password
VAULT_DATABASE_OWNER_USER: {{ .Values.database.ownerUser | quote }}
VAULT_DATABASE_OWNER_PASSWORD_FILE: /etc/token-vault/database/owner-password
VAULT_MASTER_KEYSET_FILE: /etc/token-vault/keys/keys.json
VAULT_SHUTDOWN_DELAY_MS: {{ mul .Values.shutdownDelaySeconds 1000 | quote }}
VAULT_TRANSFORM_ISOLATION: {{ .Values.transforms.isolation }}
{{- if .Values.tls.existingSecret }}
VAULT_TLS_CERT_FILE: /etc/token-vault/tls/tls.crt
VAULT_TLS_KEY_FILE: /etc/token-vault/tls/tls.key
{{- else }}
VAULT_PLAIN_HTTP: "true"
{{- end }}
{{- if .Values.metrics.enabled }}
VAULT_ADMIN_HOST: "0.0.0.0"
VAULT_ADMIN_PORT: "8090"
{{- end }}
{{- end -}}

{{/* Stops the installation of values that contradict each other. */}}
{{- define "vault.check" -}}
{{- range $name, $value := dict "database.url" .Values.database.url "database.existingSecret" .Values.database.existingSecret "masterKeyset.existingSecret" .Values.masterKeyset.existingSecret }}
{{- if not $value }}
{{- fail (printf "%s is required" $name) }}
{{- end }}
{{- end }}
{{- if and .Values.tls.existingSecret .Values.plainHttp }}
{{- fail "set tls.existingSecret or plainHttp, not both" }}
{{- end }}
{{- if not (or .Values.tls.existingSecret .Values.plainHttp) }}
{{- fail "set tls.existingSecret, or plainHttp to true" }}
{{- end }}
{{- if and (eq .Values.transforms.isolation "required") (not .Values.transforms.seccompProfile) }}
{{- fail "set transforms.seccompProfile, or transforms.isolation to preferred" }}
{{- end }}
{{- if le (int .Values.terminationGracePeriodSeconds) (int .Values.shutdownDelaySeconds) }}
{{- fail "terminationGracePeriodSeconds must be greater than shutdownDelaySeconds" }}
{{- end }}
{{- $own := include "vault.settings" . | fromYaml }}
{{- range $name, $value := .Values.settings }}
{{- if hasKey $own $name }}
{{- fail (printf "settings.%s: the chart sets it; use its value instead" $name) }}
{{- end }}
{{- end }}
{{- end -}}
