import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { keepKeys, takeKeys } from '#web/app/palette/kept-keys.ts'
import classes from './palette-button.module.css'

const load = async () => ({ default: (await import('#web/app/palette/palette.tsx')).Palette })
const Palette = lazy(load)
/** Milliseconds after which the palette is prefetched: the first screen is drawn by then. */
const PRELOAD_AFTER = 2000

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const keys = isMac ? '⌘ K' : 'Ctrl K'

/** Another open dialog keeps the keyboard. */
const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]:not([data-palette])') !== null
const isPaletteOpen = () => document.querySelector('[data-palette]') !== null

/**
 * Opens the command palette, as Ctrl-K or Cmd-K does. Its code is prefetched, and keystrokes are buffered until it is
 * loaded.
 */
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
  // The shortcut also works while a field has the focus.
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
        <kbd className={classes.keys} aria-hidden>
          {keys}
        </kbd>
      </UnstyledButton>
      <Suspense>{toggles > 0 && <Palette toggles={toggles} />}</Suspense>
    </>
  )
}
