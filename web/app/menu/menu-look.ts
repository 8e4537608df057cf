import { useLocalStorage } from '@mantine/hooks'
import { useCallback } from 'react'

/** The saved look of the side menu: narrow or wide, and the groups that the person has folded or unfolded. */
type MenuLook = { isNarrow: boolean; folded: Readonly<Record<string, boolean>> }

const OPEN: MenuLook = { isNarrow: false, folded: {} }

export function useMenuLook() {
  const [look, setLook] = useLocalStorage<MenuLook>({
    key: 'menu',
    defaultValue: OPEN,
    getInitialValueInEffect: false,
    deserialize: menuLookIn,
  })
  const toggleNarrow = useCallback(() => setLook((now) => ({ ...now, isNarrow: !now.isNarrow })), [setLook])
  return {
    isNarrow: look.isNarrow,
    toggleNarrow,
    folded: look.folded,
    fold: (group: string, isFolded: boolean) => setLook({ ...look, folded: { ...look.folded, [group]: isFolded } }),
  }
}

let read: { stored: string; look: MenuLook } | undefined

/** Cached: equal text gives the same object, so that setting the state again does not render again. */
function menuLookIn(stored = ''): MenuLook {
  if (read?.stored !== stored) read = { stored, look: parsedLook(stored) }
  return read.look
}

function parsedLook(stored: string): MenuLook {
  try {
    const look = JSON.parse(stored) as Partial<MenuLook> | null
    return { isNarrow: look?.isNarrow === true, folded: look?.folded ?? {} }
  } catch {
    return OPEN
  }
}
