import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { alertErrors } from '#domain/messages/alert-draft.ts'
import { hasCode, unsavedText } from '#web/lib/api-failure.ts'
import { leaveSafely, useUnsavedChanges } from '#web/lib/unsaved-changes.ts'
import { AlertForm } from '#web/modules/messages/alert-form.tsx'
import { AlertPreview } from '#web/modules/messages/alert-preview.tsx'
import {
  type AlertFormDraft,
  alertDifferences,
  draftOf,
  isSameDraft,
  newDraft,
  writtenIn,
} from '#web/modules/messages/alert-versions.ts'
import { ALERT_RECORDS, type AlertRecord, alertQuery, saveAlert } from '#web/modules/messages/alerts.api.ts'
import { BothVersions } from '#web/ui/both-versions/both-versions.tsx'
import { showPanel } from '#web/ui/panels/panels.ts'
import { SaveButton } from '#web/ui/save-button.tsx'
import { SignalStrip } from '#web/ui/signal/signal-strip.tsx'
import classes from './alerts.module.css'

/** The question about unsaved changes stands on the level of all other dialogs, and must be above this one. */
const BELOW_WARNING = 190

type Props = {
  /** None means a new one. */
  alert?: AlertRecord
  onClose(): void
}

/** Where alerts are written. What others do to the alert meanwhile is told when it is saved, never before. */
export function AlertDialog({ alert, onClose }: Props) {
  const queries = useQueryClient()
  const [base, setBase] = useState(alert)
  const [initial, setInitial] = useState(() => (alert ? draftOf(alert) : newDraft(new Date())))
  const [form, setForm] = useState<AlertFormDraft>(initial)
  const [theirs, setTheirs] = useState<{ alert: AlertRecord; message: string }>()
  const draft = writtenIn(form)
  const status = base?.status ?? 'ACTIVE'
  const isDirty = !isSameDraft(draft, initial)
  useUnsavedChanges(isDirty)

  const save = useMutation({
    mutationFn: () => saveAlert(draft, base),
    onSuccess: (saved) => {
      queries.setQueryData(alertQuery(saved.id).queryKey, saved)
      void queries.invalidateQueries({ queryKey: ALERT_RECORDS })
      showPanel('success', alert ? 'The alert has been changed.' : 'The alert has been published.')
      onClose()
    },
    onError: async (error) => {
      if (!base || !hasCode(error, 'STALE')) return
      const current = await queries.fetchQuery({ ...alertQuery(base.id), staleTime: 0 })
      setTheirs({ alert: current, message: error.message })
    },
  })
  const takeUp = (version: AlertRecord, keepsMine: boolean) => {
    setBase(version)
    setInitial(draftOf(version))
    if (!keepsMine) setForm(draftOf(version))
    setTheirs(undefined)
    save.reset()
  }
  const close = () => leaveSafely(onClose)
  return (
    <Modal opened onClose={close} title={alert ? 'Edit alert' : 'New alert'} size="xl" zIndex={BELOW_WARNING}>
      <Stack gap="md">
        {theirs && (
          <BothVersions
            message={theirs.message}
            differences={alertDifferences(draftOf(theirs.alert), draft)}
            actions={
              <>
                <Button size="xs" variant="default" onClick={() => takeUp(theirs.alert, false)}>
                  Use theirs
                </Button>
                <Button size="xs" variant="default" onClick={() => takeUp(theirs.alert, true)}>
                  Keep mine
                </Button>
              </>
            }
          />
        )}
        <AlertForm draft={form} status={status} onChange={(part) => setForm((now) => ({ ...now, ...part }))} />
        <AlertPreview draft={draft} status={status} />
        <Group justify="flex-end" gap="xs" className={classes.foot}>
          {save.error && !theirs && (
            <div className={classes.failure}>
              <SignalStrip signal="red" role="alert" onClose={save.reset}>
                {unsavedText(save.error)}
              </SignalStrip>
            </div>
          )}
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <SaveButton
            isSaving={save.isPending}
            disabled={!isDirty || theirs !== undefined || alertErrors(draft, status).length > 0}
            onClick={() => save.mutate()}
          >
            {alert ? 'Save' : 'Publish'}
          </SaveButton>
        </Group>
      </Stack>
    </Modal>
  )
}
