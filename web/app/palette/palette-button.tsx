import { Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import classes from './palette-button.module.css'

const Palette = lazy(async () => ({ default: (await import('#web/app/palette/palette.tsx')).Palette }))

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const keys = isMac ? '⌘ K' : 'Ctrl K'

/** Another dialog keeps the keyboard until it is closed. */
const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]:not([data-palette])') !== null

/** Opens the command palette, as Ctrl-K or Cmd-K does. The palette is loaded when it is first opened. */
export function PaletteButton() {
  const [toggles, setToggles] = useState(0)
  const toggle = () => {
    if (!isDialogOpen()) setToggles((count) => count + 1)
  }
  // Also while somebody types into a field.
  useHotkeys([['mod+K', toggle]], [])
  return (
    <>
      <UnstyledButton
        className={classes.button}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        aria-haspopup="dialog"
        onClick={toggle}
      >
        <VisuallyHidden>Search the portal</VisuallyHidden>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <Kbd size="xs" className={classes.keys} aria-hidden>
          {keys}
        </Kbd>
      </UnstyledButton>
      <Suspense>{toggles > 0 && <Palette toggles={toggles} />}</Suspense>
    </>
  )
}
