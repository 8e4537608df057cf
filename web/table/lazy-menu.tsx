import { type ReactNode, useRef, useState } from 'react'
import { useOverlayParts } from '#web/ui/overlays/use-overlay-parts.ts'

type Props = {
  label: string
  icon: ReactNode
  className: string | undefined
  /** The items. */
  children: () => ReactNode
  /** Set if the surrounding element opens the menu as well and should not be named after it. */
  isUnnamed?: boolean
  /** Where the focus goes when the menu closes; the button by default. */
  returnFocus?: (button: HTMLElement) => HTMLElement | null
}

/** A button with a menu that is rendered only while it is open: a table has dozens of them. */
export function LazyMenu({ label, icon, className, children, isUnnamed, returnFocus }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const parts = useOverlayParts(isOpen)
  const close = () => {
    setIsOpen(false)
    const target = button.current && (returnFocus ? returnFocus(button.current) : button.current)
    // An item may have opened a dialog, which takes the focus itself.
    if (!document.querySelector('[role=dialog]')) target?.focus()
  }
  return (
    <>
      <button
        type="button"
        ref={button}
        className={className}
        aria-hidden={isUnnamed}
        aria-label={isUnnamed ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={(event) => {
          event.stopPropagation()
          setIsOpen(true)
        }}
      >
        {icon}
      </button>
      {isOpen && parts && (
        <parts.Menu opened position="bottom-end" returnFocus={false} onClose={close} menuItemTabIndex={0}>
          <parts.Menu.Target>
            <span data-anchor />
          </parts.Menu.Target>
          {/* A click in the menu must not count as a click on the row. */}
          <parts.Menu.Dropdown aria-label={label} onClick={(event) => event.stopPropagation()}>
            {children()}
          </parts.Menu.Dropdown>
        </parts.Menu>
      )}
    </>
  )
}
