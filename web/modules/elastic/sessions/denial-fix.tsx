import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { guesserOf } from '#domain/elastic/credentials/pin-guessing.ts'
import { useSave } from '#web/form/use-save.ts'
import { call } from '#web/lib/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

/** Only who opens one of these needs its code. */
const dialogs = () => import('#web/modules/elastic/credentials/let-in.dialog.tsx')
const AllowAddressDialog = lazy(async () => ({ default: (await dialogs()).AllowAddressDialog }))
const AddUsernameDialog = lazy(async () => ({ default: (await dialogs()).AddUsernameDialog }))

/** Who was denied, and where. */
export type Denied = { readonly server: string; readonly subject: string }
type Props = { denied: Denied; isMain?: boolean }

export function AllowAddress({ denied, isMain = false }: Props) {
  return (
    <Fix denied={denied} isMain={isMain} text="Allow address" Asking={AllowAddressDialog} action="ip-rules.write" />
  )
}

export function AddUsername({ denied, isMain = false }: Props) {
  return (
    <Fix denied={denied} isMain={isMain} text="Add username" Asking={AddUsernameDialog} action="credentials.write" />
  )
}

type FixProps = Required<Props> & {
  text: string
  Asking: typeof AllowAddressDialog
  action: 'ip-rules.write' | 'credentials.write'
}

function Fix({ denied: { server, subject }, isMain, text, Asking, action }: FixProps) {
  const { number } = useKnownCustomer()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ReasonTooltip reason={useCan(action) ? undefined : NOT_ENOUGH_PERMISSIONS}>
        <Button
          size="compact-sm"
          variant={isMain ? 'filled' : 'default'}
          aria-label={`${text} ${subject}`}
          onClick={() => setIsOpen(true)}
        >
          {text}
        </Button>
      </ReasonTooltip>
      {isOpen && (
        <Suspense>
          <Asking
            server={{ customerNumber: number, clsId: server }}
            subject={subject}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

const ONLY_STAFF = 'Only staff of the vendor can unlock an address. It is unlocked by itself after a day.'

/** Lets an address send PINs again. */
export function ResetPinLock({ denied: { server, subject }, isMain = false }: Props) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const externalIp = subject.includes('/') ? subject : guesserOf(subject)
  const { save, isSaving } = useSave({
    send: (_: undefined, idempotencyKey) =>
      call('elastic/unlockpin', { body: { customerNumber: number, serverId: server, externalIp }, idempotencyKey }),
    success: `${externalIp} can send PINs again.`,
    notDone: 'The address is still locked.',
    onSaved: async () => {
      await queries.invalidateQueries({ queryKey: ['elastic-pin-locks'] })
      await queries.invalidateQueries({ queryKey: ['home'] })
    },
  })
  const ask = async () => {
    const question = `Do you want to let ${externalIp} send PINs for ${server} again? Its wrong PINs are forgotten.`
    if (await confirm(question, 'Reset PIN lock')) save(undefined)
  }
  return (
    <ReasonTooltip reason={useCan('elastic.unlock-pin') ? undefined : ONLY_STAFF}>
      <Button
        size="compact-sm"
        variant={isMain ? 'filled' : 'default'}
        loading={isSaving}
        aria-label={`Reset PIN lock of ${externalIp}`}
        onClick={() => void ask()}
      >
        Reset PIN lock
      </Button>
    </ReasonTooltip>
  )
}
