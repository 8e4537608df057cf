import { MENU, type MenuEntry, type Viewer } from '#web/app/menu/menu-entries.ts'
import type { MenuGroup } from '#web/app/menu/menu-group.ts'
import type { FeatureSwitches } from '#web/app/screens/feature-switches.ts'
import { isClosed, isRefused } from '#web/app/screens/gate.ts'
import { featureOf, type Screen } from '#web/app/screens/screen.ts'
import { screenAt } from '#web/app/screens/screens.ts'

export type VisibleEntry = Pick<MenuEntry, 'path'> & Pick<Screen, 'title' | 'about' | 'synonyms'>
export type VisibleGroup = { title: MenuGroup; entries: readonly VisibleEntry[] }

/** The menu of one person on one account. Empty groups are left out. */
export function visibleMenu(viewer: Viewer, features: FeatureSwitches): readonly VisibleGroup[] {
  return MENU.filter((group) => group.isShown?.(viewer) ?? true)
    .map((group) => ({
      title: group.title,
      entries: group.entries.filter((entry) => isVisible(entry, viewer, features)).map(visibleEntry),
    }))
    .filter((group) => group.entries.length > 0)
}

function isVisible(entry: MenuEntry, viewer: Viewer, features: FeatureSwitches): boolean {
  const screen = screenAt(entry.path)
  if (!features.isOpen(featureOf(screen))) return false
  if (isClosed(screen, viewer.who)) return false
  if (viewer.hasNoAccount && screen.customer === 'needed') return false
  if (viewer.on && isRefused(screen, viewer.who, viewer.on)) return false
  if (entry.variant && features.isChosen(entry.variant.flag) !== (entry.variant.when === 'chosen')) return false
  return entry.isShown?.(viewer) ?? true
}

function visibleEntry({ path }: MenuEntry): VisibleEntry {
  const { title, about, synonyms = '' } = screenAt(path)
  return { path, title, about, synonyms }
}
