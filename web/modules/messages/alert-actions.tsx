import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCircleCheck, IconPencil } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { canOnPortal } from '#domain/access/can.ts'
import { ALERT_LABELS } from '#domain/messages/alerts.ts'
import { useSave } from '#web/form/use-save.ts'
import { hasCode } from '#web/lib/api/api-error.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { type AlertRecord, alertQuery, endAlert, reloadAlerts } from '#web/modules/messages/alerts.api.ts'
import { joinWithAnd } from '#web/modules/messages/banner-text.ts'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { showPanel } from '#web/ui/panels.ts'

const AlertDialog = lazy(async () => ({
  default: (await import('#web/modules/messages/alert.dialog.tsx')).AlertDialog,
}))

/** Edit and Resolve, for authors of alerts. */
export function AlertActions({ alert }: { alert: AlertRecord }) {
  const { actor } = useSignedIn()
  const queries = useQueryClient()
  const [isWriting, dialog] = useDisclosure(false)
  const resolve = useSave({
    send: endAlert,
    success: 'The alert has been resolved.',
    notDone: 'Nothing was changed.',
    onSaved: (resolved) => {
      queries.setQueryData(alertQuery(alert.id).queryKey, resolved)
      reloadAlerts(queries)
    },
    onFailed: (error) => {
      reloadAlerts(queries)
      if (!hasCode(error, 'STALE')) return false
      showPanel('error', `${error.message} ${CHECK_FIRST}`)
      return true
    },
  })
  if (!canOnPortal(actor, 'alerts.write').allowed) return null
  const ask = async () => {
    const what = `${ALERT_LABELS[alert.category]}: ${joinWithAnd(alert.service)}`
    const question = `Do you want to resolve the alert “${what}”? It disappears from the banner for everyone.`
    if (await confirm(question, 'Resolve alert')) resolve.save(alert)
  }
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={dialog.open}>
        Edit
      </Button>
      {alert.status === 'ACTIVE' && (
        <Button leftSection={<IconCircleCheck size={16} aria-hidden />} loading={resolve.isSaving} onClick={ask}>
          Resolve
        </Button>
      )}
      <Suspense>{isWriting && <AlertDialog alert={alert} onClose={dialog.close} />}</Suspense>
    </>
  )
}

const CHECK_FIRST = 'Nothing was changed. Check the current alert, then resolve it again.'
