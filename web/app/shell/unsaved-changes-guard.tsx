import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { customerIn } from '#web/lib/address/portal-address.ts'
import {
  discardUnsavedChanges,
  dropsUnsavedChanges,
  hasUnsavedChanges,
  onAskToLeave,
} from '#web/lib/kept/unsaved-changes.ts'
import { Modal } from '#web/ui/overlays/modal.tsx'

/** Asks before unsaved changes are lost: on navigation, change of customer, sign-out or closing the tab. */
export function UnsavedChangesGuard() {
  const [leave, setLeave] = useState<() => void>()
  const blocker = useBlocker(({ currentLocation: here, nextLocation: there, historyAction: action }) =>
    here.pathname !== there.pathname || customerIn(here.search) !== customerIn(there.search)
      ? hasUnsavedChanges()
      : dropsUnsavedChanges({ here: here.search, there: there.search, action }),
  )
  useEffect(() => onAskToLeave((action) => setLeave(() => action)), [])
  useBeforeUnload((event) => {
    if (hasUnsavedChanges()) event.preventDefault()
  })

  const stay = () => {
    setLeave(undefined)
    blocker.reset?.()
  }
  const discard = () => {
    setLeave(undefined)
    if (blocker.state === 'blocked') {
      discardUnsavedChanges()
      blocker.proceed()
    }
    leave?.()
  }
  return (
    <UnsavedChangesDialog
      opened={blocker.state === 'blocked' || leave !== undefined}
      onStay={stay}
      onDiscard={discard}
    />
  )
}

/** Cancel stays on the page. */
function UnsavedChangesDialog({ opened, onStay, onDiscard }: { opened: boolean; onStay(): void; onDiscard(): void }) {
  return (
    <Modal opened={opened} onClose={onStay} title="WARNING: You have unsaved changes" withCloseButton={false}>
      <Text>If you continue, your changes on this page will be lost.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={onStay}>
          Cancel
        </Button>
        <Button onClick={onDiscard}>Leave without saving</Button>
      </Group>
    </Modal>
  )
}
