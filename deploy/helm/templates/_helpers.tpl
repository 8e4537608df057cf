{{- define "portal.labels" -}}
app.kubernetes.io/name: licensing-portal
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "portal.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Helm reads whole numbers as floating-point numbers, and would print a million as 1e+06. */}}
{{- define "portal.plain" -}}
{{- if and (kindIs "float64" .) (eq (toString .) (toString (floor .))) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/*
What the portal and its migration share: image, settings, secrets as files, and no rights. Both take
(dict "root" $ "secrets" …), because the migration has more secrets.
*/}}
{{- define "portal.container" -}}
image: {{ include "portal.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
env:
  - name: PUBLIC_URL
    value: {{ required "publicUrl is required: the address that people type" .root.Values.publicUrl | quote }}
  - name: DRAIN_SECONDS
    value: {{ int .root.Values.drainSeconds | quote }}
  {{- if .root.Values.backups.existingClaim }}
  - name: BACKUP_DIR
    value: /backups
  {{- end }}
  {{- range $name, $value := .root.Values.settings }}
  {{- if not (kindIs "invalid" $value) }}
  - name: {{ $name }}
    value: {{ include "portal.plain" $value | quote }}
  {{- end }}
  {{- end }}
  {{- range $name, $secret := .secrets }}
  {{- if $secret }}
  - name: {{ $name }}_FILE
    value: /run/secrets/portal/{{ $name }}
  {{- end }}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
  - { name: secrets, mountPath: /run/secrets/portal, readOnly: true }
  {{- if .root.Values.backups.existingClaim }}
  - { name: backups, mountPath: /backups }
  {{- end }}
  {{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "portal.pod" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
volumes:
  - { name: data, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
  - name: secrets
    projected:
      # The portal refuses a secret that everybody can read.
      defaultMode: 0440
      sources:
        {{- range $name, $secret := .secrets }}
        {{- if $secret }}
        - secret:
            name: {{ $secret.name }}
            items: [{ key: {{ $secret.key }}, path: {{ $name }} }]
        {{- end }}
        {{- end }}
  {{- with .root.Values.backups.existingClaim }}
  - name: backups
    persistentVolumeClaim: { claimName: {{ . }} }
  {{- end }}
  {{- with .root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
