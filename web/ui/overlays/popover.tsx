import type { PopoverProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { At, type OverlayButton, useOverlayButton } from '#web/ui/overlays/overlay-button.ts'

type Props = Pick<
  PopoverProps,
  'position' | 'width' | 'withinPortal' | 'middlewares' | 'keepMounted' | 'opened' | 'onChange'
> & {
  /** Opens it with a click, unless `opened` says when it is open. */
  button: OverlayButton
  className?: string | undefined
  children: ReactNode
}

/** A button that opens a box with text or fields, which take the focus. */
export function Popover({ button, className, children, opened, onChange, ...popover }: Props) {
  const [isToggled, setIsToggled] = useState(false)
  const isOpen = opened ?? isToggled
  const change = onChange ?? setIsToggled
  const { target, overlay } = useOverlayButton(button, 'dialog', isOpen, () => opened === undefined && change(!isOpen))
  return (
    <>
      {target}
      {overlay && (
        <overlay.Popover trapFocus returnFocus {...popover} id={overlay.id} opened={overlay.opened} onChange={change}>
          <overlay.Popover.Target>
            <At element={overlay.at} />
          </overlay.Popover.Target>
          <overlay.Popover.Dropdown className={className}>{children}</overlay.Popover.Dropdown>
        </overlay.Popover>
      )}
    </>
  )
}
