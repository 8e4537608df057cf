{{- define "portal.labels" -}}
app.kubernetes.io/name: licensing-portal
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "portal.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
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
    value: {{ .root.Values.drainSeconds | quote }}
  {{- range $name, $value := .root.Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- range $name, $secret := .secrets }}
  - name: {{ $name }}_FILE
    value: /run/secrets/portal/{{ $name }}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
  - { name: secrets, mountPath: /run/secrets/portal, readOnly: true }
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
        - secret:
            name: {{ $secret.name }}
            items: [{ key: {{ $secret.key }}, path: {{ $name }} }]
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
