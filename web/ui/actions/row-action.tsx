import { ActionIcon } from '@mantine/core'
import { can } from '#domain/access/can.ts'
import type { ActionOn } from '#web/lib/action.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** Whether an action is offered here, and why it is disabled. */
export function useOffer<Thing>(action: ActionOn<Thing>, thing: Thing): { isOffered: boolean; reason?: string } {
  const { actor } = useSignedIn()
  const { standing } = useKnownCustomer()
  const decision = can(actor, action.right, standing)
  if (action.applies?.(thing) === false || (action.isHiddenWithoutRight && !decision.allowed))
    return { isOffered: false }
  const reason = decision.allowed ? action.reason?.(thing) : decision.reason
  return { isOffered: true, ...(reason !== undefined && { reason }) }
}

type Props<Thing> = {
  action: ActionOn<Thing>
  thing: Thing
  onRun(action: ActionOn<Thing>, thing: Thing): void
}

/** The icon of an action in the row of its thing, which it is named after. */
export function RowAction<Thing>({ action, thing, name, onRun }: Props<Thing> & { name: string }) {
  const { isOffered, reason } = useOffer(action, thing)
  if (!isOffered) return null
  const { button, icon: Icon, isDangerous } = action
  const icon = (
    <ActionIcon
      variant="subtle"
      color={isDangerous ? 'red' : 'gray'}
      aria-label={`${button}: ${name}`}
      onClick={() => onRun(action, thing)}
    >
      {Icon && <Icon size={16} aria-hidden />}
    </ActionIcon>
  )
  return reason === undefined ? (
    <Tooltip label={button}>{icon}</Tooltip>
  ) : (
    <ReasonTooltip reason={reason}>{icon}</ReasonTooltip>
  )
}

export function MenuAction<Thing>({ action, thing, onRun }: Props<Thing>) {
  const { isOffered, reason } = useOffer(action, thing)
  if (!isOffered) return null
  const { button, icon: Icon, isDangerous } = action
  return (
    <ReasonTooltip reason={reason}>
      <Menu.Item
        {...(isDangerous && { color: 'red' })}
        leftSection={Icon && <Icon size={15} aria-hidden />}
        closeMenuOnClick={reason === undefined}
        onClick={() => onRun(action, thing)}
      >
        {button}
      </Menu.Item>
    </ReasonTooltip>
  )
}
