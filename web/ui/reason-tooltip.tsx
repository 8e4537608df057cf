import { cloneElement, type MouseEvent, type ReactElement, type ReactNode, useId } from 'react'
import { Tooltip } from '#web/ui/tooltip.tsx'

type Props = {
  /** Why it is disabled; undefined enables it. */
  reason: string | undefined
  children: ReactElement<Record<string, unknown>>
}

/** Says why the field in it is disabled. A disabled field has no pointer events, so the tooltip belongs to a box around it. */
export function FieldReason({ reason, children }: { reason: string | undefined; children: ReactNode }) {
  return (
    <Tooltip label={reason} disabled={reason === undefined}>
      <div>{children}</div>
    </Tooltip>
  )
}

/** Disables a button and says why. The button keeps the focus, so that the keyboard reaches the reason. */
export function ReasonTooltip({ reason, children }: Props) {
  const id = useId()
  const isDisabled = reason !== undefined
  const disabled = {
    'data-disabled': true,
    'aria-disabled': true,
    'aria-describedby': id,
    onClick: (event: MouseEvent) => event.preventDefault(),
  }
  // Renders equal elements in both cases: otherwise the button would lose the focus when the reason changes.
  return (
    <>
      <Tooltip label={reason} disabled={!isDisabled}>
        {cloneElement(children, isDisabled ? disabled : {})}
      </Tooltip>
      {isDisabled && (
        <span id={id} hidden>
          {reason}
        </span>
      )}
    </>
  )
}
