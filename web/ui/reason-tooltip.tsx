import { Tooltip } from '@mantine/core'
import { cloneElement, type MouseEvent, type ReactElement, useId } from 'react'

type Props = {
  /** Why the button is disabled; undefined enables it. */
  reason: string | undefined
  children: ReactElement<Record<string, unknown>>
}

/** Disables a button and says why. The button keeps the focus, so that the keyboard reaches the reason. */
export function ReasonTooltip({ reason, children }: Props) {
  const id = useId()
  if (reason === undefined) return children
  return (
    <>
      <Tooltip label={reason}>
        {cloneElement(children, {
          'data-disabled': true,
          'aria-disabled': true,
          'aria-describedby': id,
          onClick: (event: MouseEvent) => event.preventDefault(),
        })}
      </Tooltip>
      <span id={id} hidden>
        {reason}
      </span>
    </>
  )
}
