import { Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { keepKeys, takeKeys } from '#web/app/palette/kept-keys.ts'
import classes from './palette-button.module.css'

const load = async () => ({ default: (await import('#web/app/palette/palette.tsx')).Palette })
const Palette = lazy(load)
/** In milliseconds: after this the first screen is there, and the palette is loaded. */
const PRELOAD_AFTER = 2000

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const keys = isMac ? '⌘ K' : 'Ctrl K'

/** Another dialog keeps the keyboard until it is closed. */
const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]:not([data-palette])') !== null
const isPaletteOpen = () => document.querySelector('[data-palette]') !== null

/** Opens the command palette, as Ctrl-K or Cmd-K does. It is loaded beforehand, and gets the keys that are pressed until it is there. */
export function PaletteButton() {
  const [toggles, setToggles] = useState(0)
  const toggle = () => {
    if (isDialogOpen()) return
    if (!isPaletteOpen()) {
      keepKeys()
      load().catch(takeKeys)
    }
    setToggles((count) => count + 1)
  }
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => undefined), PRELOAD_AFTER)
    return () => clearTimeout(timer)
  }, [])
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
