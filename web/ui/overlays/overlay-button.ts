import { cloneElement, type MouseEvent, type ReactElement, type Ref, useId, useLayoutEffect, useState } from 'react'
import { useOverlayParts } from '#web/ui/overlays/use-overlay-parts.ts'

export type OverlayButton = ReactElement<Record<string, unknown>>

/** The button of a menu or popover, which is drawn before the code of what it opens is loaded. */
export function useOverlayButton(button: OverlayButton, popup: 'menu' | 'dialog', opened: boolean, toggle: () => void) {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const [wasOpened, setWasOpened] = useState(false)
  const parts = useOverlayParts(opened)
  const isReady = parts !== undefined && target !== null
  // The focus returns to the button only from what was closed when it was drawn first.
  useLayoutEffect(() => {
    if (opened && isReady) setWasOpened(true)
  }, [opened, isReady])
  return {
    target: cloneElement(button, {
      ref: setTarget,
      id,
      'aria-haspopup': popup,
      'aria-expanded': opened,
      'aria-controls': opened && wasOpened ? `${id}-dropdown` : undefined,
      onClick(event: MouseEvent) {
        ;(button.props.onClick as ((event: MouseEvent) => void) | undefined)?.(event)
        toggle()
      },
    }),
    overlay: isReady && (opened || wasOpened) ? { ...parts, id, at: target, opened: opened && wasOpened } : undefined,
  }
}

/** Stands for the button, which is drawn elsewhere, in what is placed beside it. */
export function At({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }): null {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return undefined
    const leave = ref(element)
    return () => (leave ? leave() : void ref(null))
  }, [ref, element])
  return null
}
