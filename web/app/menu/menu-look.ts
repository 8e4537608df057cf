import { useLocalStorage } from '@mantine/hooks'

/** The saved look of the side menu: narrow or wide, and which groups are folded. */
type MenuLook = { isNarrow: boolean; folded: readonly string[] }

const OPEN: MenuLook = { isNarrow: false, folded: [] }

export function useMenuLook() {
  const [look, setLook] = useLocalStorage<MenuLook>({
    key: 'menu',
    defaultValue: OPEN,
    getInitialValueInEffect: false,
    deserialize: menuLookIn,
  })
  return {
    isNarrow: look.isNarrow,
    toggleNarrow: () => setLook({ ...look, isNarrow: !look.isNarrow }),
    isFolded: (group: string) => look.folded.includes(group),
    toggleFolded: (group: string) => {
      const others = look.folded.filter((one) => one !== group)
      setLook({ ...look, folded: others.length < look.folded.length ? others : [...others, group] })
    },
  }
}

function menuLookIn(stored: string | undefined): MenuLook {
  try {
    const look = JSON.parse(stored ?? '') as Partial<MenuLook> | null
    return { isNarrow: look?.isNarrow === true, folded: Array.isArray(look?.folded) ? look.folded : [] }
  } catch {
    return OPEN
  }
}
