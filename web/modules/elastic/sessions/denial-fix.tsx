import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { guesserOf } from '#domain/elastic/credentials/pin-guessing.ts'
import { useSave } from '#web/form/use-save.ts'
import type { ActionOn } from '#web/lib/action.ts'
import { call } from '#web/lib/api/api-client.ts'
import { useCan, useKnownCustomer } from '#web/lib/customer.tsx'
import { ADD_USERNAME, ALLOW_ADDRESS, type Denied, RAISE_LIMIT } from '#web/modules/elastic/elastic.actions.tsx'
import { ActionButton } from '#web/ui/actions/action-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props = { denied: Required<Denied>; isMain?: boolean }

export const AllowAddress = (props: Props) => <LetIn action={ALLOW_ADDRESS} {...props} />
export const AddUsername = (props: Props) => <LetIn action={ADD_USERNAME} {...props} />

function LetIn({ action, denied, isMain = false }: Props & { action: ActionOn<Denied> }) {
  return (
    <ActionButton
      action={action}
      thing={denied}
      size="compact-sm"
      variant={isMain ? 'filled' : 'default'}
      aria-label={`${action.button} ${denied.subject}`}
    />
  )
}

/** Lets the limit that refused a start refuse later. */
export const RaiseLimit = ({ limitId }: { limitId: string }) => (
  <ActionButton action={RAISE_LIMIT} thing={{ limitId }} size="compact-sm" variant="default" />
)

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
