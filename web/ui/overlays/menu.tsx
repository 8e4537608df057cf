import type { Menu as MantineMenu, MenuProps } from '@mantine/core'
import { createElement, type ReactNode, useState } from 'react'
import { At, type OverlayButton, useOverlayButton } from '#web/ui/overlays/overlay-button.ts'
import { overlayParts } from '#web/ui/overlays/use-overlay-parts.ts'

type Props = Pick<MenuProps, 'position' | 'width' | 'withinPortal'> & {
  button: OverlayButton
  /** The items. */
  children: ReactNode
}

/** A button that opens a menu. */
export function Menu({ button, children, ...menu }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const { target, overlay } = useOverlayButton(button, 'menu', isOpen, () => setIsOpen(!isOpen))
  return (
    <>
      {target}
      {overlay && (
        <overlay.Menu {...menu} id={overlay.id} opened={overlay.opened} onChange={setIsOpen}>
          <overlay.Menu.Target>
            <At element={overlay.at} />
          </overlay.Menu.Target>
          <overlay.Menu.Dropdown>{children}</overlay.Menu.Dropdown>
        </overlay.Menu>
      )}
    </>
  )
}

type Part = 'Item' | 'Label' | 'Divider' | 'RadioGroup' | 'RadioItem' | 'CheckboxItem'

/** A part of a menu is drawn only inside of one that is open, so its code is there by then. */
function part<Name extends Part>(name: Name) {
  const Late = (props: object) => {
    const parts = overlayParts()
    return parts ? createElement(parts.Menu[name] as React.ComponentType<object>, props) : null
  }
  return Late as unknown as (typeof MantineMenu)[Name]
}

Menu.Item = part('Item')
Menu.Label = part('Label')
Menu.Divider = part('Divider')
Menu.RadioGroup = part('RadioGroup')
Menu.RadioItem = part('RadioItem')
Menu.CheckboxItem = part('CheckboxItem')
