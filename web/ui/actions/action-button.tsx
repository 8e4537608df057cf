import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ActionOn } from '#web/lib/action.ts'
import { useOffer } from '#web/ui/actions/row-action.tsx'
import { useActions } from '#web/ui/actions/use-actions.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props<Thing> = ButtonProps & {
  action: ActionOn<Thing>
  /** What it is about. */
  thing: Thing
  'aria-label'?: string
  hasIcon?: boolean
  /** The text, if it is not that of the action. */
  children?: ReactNode
}

/** The button of an action, disabled for whoever may not do it, and its dialog. */
export function ActionButton<Thing>({ action, thing, children = action.button, hasIcon, ...button }: Props<Thing>) {
  const { run, isSaving, dialog } = useActions()
  const { isOffered, reason } = useOffer(action, thing)
  if (!isOffered) return dialog
  const { icon: Icon } = action
  return (
    <>
      <ReasonTooltip reason={reason}>
        <Button
          {...button}
          leftSection={hasIcon && Icon && <Icon size={button.size === 'xs' ? 15 : 16} aria-hidden />}
          loading={isSaving}
          onClick={() => run(action, thing)}
        >
          {children}
        </Button>
      </ReasonTooltip>
      {dialog}
    </>
  )
}
