import type { FeatureSwitches } from '#web/app/screens/feature-switches.ts'
import { isClosed, isRefused } from '#web/app/screens/gate.ts'
import { type PortalScreen, SCREENS } from '#web/app/screens/screens.ts'
import { featureOf, MENU_GROUPS, type MenuGroup, type Viewer } from '#web/lib/address/screen.ts'

export type VisibleGroup = { title: MenuGroup; entries: readonly PortalScreen[] }

/** The menu of one person on one account. Empty groups are left out. */
export function visibleMenu(viewer: Viewer, features: FeatureSwitches): readonly VisibleGroup[] {
  const shown = Map.groupBy(
    SCREENS.filter((screen) => isVisible(screen, viewer, features)),
    (screen) => groupOf(screen, viewer),
  )
  return MENU_TITLES.flatMap((title) => {
    const entries = shown.get(title)
    return entries ? [{ title, entries }] : []
  })
}

const MENU_TITLES = Object.keys(MENU_GROUPS) as MenuGroup[]

function groupOf({ group, otherGroup, parent }: PortalScreen, viewer: Viewer): MenuGroup | undefined {
  if (parent) return undefined
  return [group, otherGroup].find((title) => title && MENU_GROUPS[title](viewer))
}

function isVisible(screen: PortalScreen, viewer: Viewer, features: FeatureSwitches): boolean {
  const { customer, variant } = screen
  if (!features.isOpen(featureOf(screen))) return false
  if (isClosed(screen, viewer.who)) return false
  if (viewer.hasNoAccount && customer === 'needed') return false
  if (viewer.on && isRefused(screen, viewer.who, viewer.on)) return false
  if (variant && features.isChosen(variant.flag) !== (variant.when === 'chosen')) return false
  return screen.isInMenu?.(viewer) ?? true
}
