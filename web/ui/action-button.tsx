import { Button, type ButtonProps } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import type { ActionOn } from '#web/lib/action.ts'
import { useCan } from '#web/lib/customer.tsx'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'

type Props<Thing> = ButtonProps & {
  action: ActionOn<Thing>
  /** What it is about. */
  thing: Thing
  'aria-label'?: string
  /** The text, if it is not that of the action. */
  children?: ReactNode
}

/** The button of an action, disabled for whoever may not do it, and its dialog. */
export function ActionButton<Thing>({ action, thing, children = action.button, ...button }: Props<Thing>) {
  const queries = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    setIsOpen(false)
    // Home lists what is left to do.
    void queries.invalidateQueries({ queryKey: ['home'] })
  }
  return (
    <>
      <ReasonTooltip reason={useCan(action.right) ? undefined : NOT_ENOUGH_PERMISSIONS}>
        <Button {...button} onClick={() => setIsOpen(true)}>
          {children}
        </Button>
      </ReasonTooltip>
      {isOpen && <Suspense>{action.opens(thing).dialog(close)}</Suspense>}
    </>
  )
}
