import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ACTIVITY_NOTED_MINUTES, IDLE_LIMIT_MINUTES } from '#domain/access/sign-in-limits.ts'
import { call } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { stopGuardingKeptChanges } from '#web/lib/kept/unsaved-changes.ts'
import { signOut } from '#web/lib/sign-in/sign-in.ts'
import { lastExtended, onExtended } from '#web/lib/sign-in/sign-in-activity.ts'
import { Modal } from '#web/ui/overlays/modal.tsx'
import { showPanel } from '#web/ui/panels.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const IDLE_LIMIT = (IDLE_LIMIT_MINUTES - ACTIVITY_NOTED_MINUTES) * MINUTE
const WARNING = 2 * MINUTE
/** After the limit, the server is asked this often whether the sign-in has ended. */
const CHECK_EVERY = 10 * SECOND

/** Above confirmations, which are at 200. */
const ABOVE_DIALOGS = 300

/** Two minutes before an idle sign-in ends, offers to stay signed in. */
export function IdleWarning() {
  const left = useTimeLeft()
  const stay = () => {
    extendSignIn().catch((error) => showPanel('error', failureText(error)))
  }
  // Unsaved forms are kept in this browser and offered after the next sign-in.
  const leave = () => {
    stopGuardingKeptChanges()
    signOut().catch((error) => showPanel('error', `You are still signed in. ${failureText(error)}`))
  }
  return (
    <Modal
      opened={left !== undefined}
      onClose={stay}
      title="Do you want to stay signed in?"
      withCloseButton={false}
      zIndex={ABOVE_DIALOGS}
    >
      <Text>
        You have not used the portal for a while. You will be signed out in{' '}
        <strong className="figures">{clockText(left ?? 0)}</strong>.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={leave}>
          Sign out
        </Button>
        <Button data-autofocus onClick={stay}>
          Stay signed in
        </Button>
      </Group>
    </Modal>
  )
}

/** Any call extends the sign-in. If it has ended, the call goes to sign-in. */
const extendSignIn = () => call('getUserDetails')

/** Milliseconds until the sign-in ends; undefined while there is enough time. */
function useTimeLeft(): number | undefined {
  const [left, setLeft] = useState<number>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = () => {
      clearTimeout(timer)
      const rest = lastExtended() + IDLE_LIMIT - Date.now()
      setLeft(rest > WARNING ? undefined : Math.max(0, rest))
      // Nobody has touched the page, so this call extends nothing.
      if (rest <= 0) void extendSignIn().catch(() => undefined)
      timer = setTimeout(check, nextCheck(rest))
    }
    check()
    const stop = onExtended(check)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
  return left
}

function nextCheck(rest: number): number {
  if (rest > WARNING) return rest - WARNING
  return rest > 0 ? SECOND : CHECK_EVERY
}

/** '1:59' */
function clockText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / SECOND)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
