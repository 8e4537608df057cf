import { Button } from '@mantine/core'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'

/** For so long after a click and after the answer to it, further clicks are taken for repeated ones. */
const REST = 500
/** A hand that clicks again does not hold quite still. */
const REPEATED_WITHIN = 8

type Props = {
  isSaving: boolean
  disabled?: boolean
  /** The id of what says why it is disabled. */
  'aria-describedby'?: string | undefined
  onClick(): void
  /** Clicked, or Enter pressed in a field, although it is disabled. */
  onRefused?: () => void
  children: ReactNode
}

/** Sends what is on the screen, once: repeated clicks neither send it again nor hit what has come under the pointer. */
export function SaveButton(props: Props) {
  const { isSaving, disabled = false, 'aria-describedby': describedBy, onClick, onRefused, children } = props
  const { isResting, rest } = useRest(isSaving)
  const button = useRef<HTMLButtonElement>(null)
  const clicked = useRef({ x: 0, y: 0 })
  const isInert = isSaving || isResting
  useEffect(() => {
    if (isInert) return dropClicksAt(clicked.current, button.current)
  }, [isInert])
  return (
    <Button
      ref={button}
      component={FocusableButton}
      loading={isSaving}
      disabled={disabled || isInert}
      aria-describedby={describedBy}
      onClick={(event) => {
        // The form itself is never sent.
        event.preventDefault()
        if (isInert) return
        if (disabled) return onRefused?.()
        clicked.current = { x: event.clientX, y: event.clientY }
        rest()
        onClick()
      }}
    >
      {children}
    </Button>
  )
}

/** A button that is disabled while it has the focus would lose it. */
function FocusableButton({ disabled, ...rest }: ComponentProps<'button'>) {
  return <button {...rest} type="submit" aria-disabled={disabled || undefined} />
}

function useRest(isSaving: boolean): { isResting: boolean; rest(): void } {
  const [rests, setRests] = useState(0)
  const [wasSaving, setWasSaving] = useState(isSaving)
  const rest = () => setRests((count) => count + 1)
  if (wasSaving !== isSaving) {
    setWasSaving(isSaving)
    if (!isSaving) rest()
  }
  useEffect(() => {
    if (rests === 0) return
    const timer = setTimeout(() => setRests(0), REST)
    return () => clearTimeout(timer)
  }, [rests])
  return { isResting: rests > 0, rest }
}

/** Until a moment after it is called off: a dialog that was saved is gone, and the pointer is over what lay below it. */
function dropClicksAt(place: { x: number; y: number }, except: HTMLElement | null): () => void {
  const drop = (event: MouseEvent) => {
    const isOfPointer = event.detail > 0
    const isNear = Math.hypot(event.clientX - place.x, event.clientY - place.y) <= REPEATED_WITHIN
    if (!isOfPointer || !isNear || (event.target instanceof Node && except?.contains(event.target))) return
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', drop, true)
  return () => setTimeout(() => window.removeEventListener('click', drop, true), REST)
}
