import type { TooltipProps } from '@mantine/core'
import { cloneElement, type FocusEvent, type PointerEvent, type ReactElement, useEffect, useRef, useState } from 'react'
import { useOverlayParts } from '#web/ui/overlays/use-overlay-parts.ts'

/** In milliseconds. */
const DELAY = 250
/** Time for the pointer to move onto the tooltip, in milliseconds. */
const LEAVE_DELAY = 100

type Handler = ((event: never) => void) | undefined
type Props = Pick<TooltipProps, 'label' | 'disabled' | 'position'> & { children: ReactElement<Record<string, unknown>> }

/**
 * A text that hovering or the focus shows. It stays while the pointer is on it, and Escape closes it. Mantine's own tooltip
 * costs more to draw than most of what it explains, also while it is closed, so it is rendered only while it is shown.
 */
export function Tooltip({ children, disabled, ...props }: Props) {
  const [target, setTarget] = useState<HTMLElement>()
  const [isShown, setIsShown] = useState(false)
  const parts = useOverlayParts(target !== undefined)
  useEffect(() => {
    const timer = target && setTimeout(() => setIsShown(true), DELAY)
    return () => {
      clearTimeout(timer)
      setIsShown(false)
    }
  }, [target])
  useEffect(() => {
    if (!isShown) return undefined
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && setTarget(undefined)
    document.addEventListener('keydown', close, true)
    return () => document.removeEventListener('keydown', close, true)
  }, [isShown])
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stay = () => clearTimeout(leaving.current)
  const leave = () => {
    stay()
    leaving.current = setTimeout(hide, LEAVE_DELAY)
  }
  const show = ({ currentTarget }: { currentTarget: EventTarget }) => {
    stay()
    setTarget(currentTarget as HTMLElement)
  }
  const hide = () => setTarget(undefined)
  const { onPointerEnter, onPointerLeave, onFocus, onBlur } = children.props as Record<string, Handler>
  return (
    <>
      {cloneElement(children, {
        onPointerEnter(event: PointerEvent) {
          onPointerEnter?.(event as never)
          if (event.pointerType !== 'touch') show(event)
        },
        onPointerLeave(event: PointerEvent) {
          onPointerLeave?.(event as never)
          leave()
        },
        onFocus(event: FocusEvent) {
          onFocus?.(event as never)
          if (event.currentTarget.matches(':focus-visible')) show(event)
        },
        onBlur(event: FocusEvent) {
          onBlur?.(event as never)
          hide()
        },
      })}
      {isShown && target && !disabled && parts && (
        <parts.Tooltip {...props} opened interactive target={target} onPointerEnter={stay} onPointerLeave={leave} />
      )}
    </>
  )
}
