import { Button } from '@mantine/core'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** Milliseconds after a click and after its answer in which further clicks are ignored. */
const REST = 500
/** Pixels. Clicks within this distance count as repeated. */
const REPEATED_WITHIN = 8

type Props = {
  isSaving: boolean
  /** Why it is disabled; undefined enables it. */
  reason?: string | undefined
  onClick(): void
  /** Called for a click, or Enter in a field, while the button is disabled. */
  onRefused?: () => void
  children: ReactNode
}

/** Saves once. Repeated clicks neither save again nor hit what has moved under the pointer. */
export function SaveButton(props: Props) {
  const { isSaving, reason, onClick, onRefused, children } = props
  const isDisabled = reason !== undefined
  const reasonId = useId()
  const { isResting, rest } = useRest(isSaving)
  const button = useRef<HTMLButtonElement>(null)
  const clicked = useRef({ x: 0, y: 0 })
  const isInert = isSaving || isResting
  useEffect(() => {
    if (isInert) return dropClicksAt(clicked.current, button.current)
  }, [isInert])
  return (
    <>
      <Tooltip label={reason} disabled={!isDisabled}>
        <Button
          ref={button}
          component={FocusableButton}
          loading={isSaving}
          disabled={isDisabled || isInert}
          aria-describedby={isDisabled ? reasonId : undefined}
          onClick={(event) => {
            // The browser must not submit the form.
            event.preventDefault()
            if (isInert) return
            if (isDisabled) return onRefused?.()
            clicked.current = { x: event.clientX, y: event.clientY }
            rest()
            onClick()
          }}
        >
          {children}
        </Button>
      </Tooltip>
      {isDisabled && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </>
  )
}

/** A focused button that becomes disabled would lose the focus. `aria-disabled` keeps it. */
function FocusableButton({ disabled, ...rest }: ComponentProps<'button'>) {
  return <button {...rest} type="submit" aria-disabled={disabled || undefined} />
}

/** Each rest is a new object, so that the effect also starts a timer when one rest ends and the next begins in the same render. */
function useRest(isSaving: boolean): { isResting: boolean; rest(): void } {
  const [resting, setResting] = useState<object>()
  const [wasSaving, setWasSaving] = useState(isSaving)
  const rest = () => setResting({})
  if (wasSaving !== isSaving) {
    setWasSaving(isSaving)
    if (!isSaving) rest()
  }
  useEffect(() => {
    if (!resting) return
    const timer = setTimeout(() => setResting(undefined), REST)
    return () => clearTimeout(timer)
  }, [resting])
  return { isResting: resting !== undefined, rest }
}

/**
 * After a save the dialog is gone, and the pointer is over what was below it. Ends shortly after the returned function is
 * called, and at once when somebody clicks elsewhere: a click where the pointer was before is then meant.
 */
function dropClicksAt(point: { x: number; y: number }, except: HTMLElement | null): () => void {
  const stop = () => window.removeEventListener('click', drop, true)
  const drop = (event: MouseEvent) => {
    const isOfPointer = event.detail > 0
    if (!isOfPointer || (event.target instanceof Node && except?.contains(event.target))) return
    if (Math.hypot(event.clientX - point.x, event.clientY - point.y) > REPEATED_WITHIN) return stop()
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', drop, true)
  return () => setTimeout(stop, REST)
}
