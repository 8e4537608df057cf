import type { AccountAction, PortalAction } from '#domain/access/can.ts'
import type { OrgType } from '#domain/access/standing.ts'
import type { MenuGroup } from '#web/app/menu/menu-group.ts'

/** A screen of the portal: its path, its title, and who may open it. */
export type Screen = {
  /** The route without its leading slash. Its first part is also the name of its feature flag. */
  path: string
  title: string
  /** One line about the screen, for Home. */
  about: string
  /** Other words that people search for when they mean this screen. */
  synonyms?: string
  group?: MenuGroup
  /** The list that this screen belongs to. */
  parent?: { title: string; path: string }
  /** The feature flag, if it is not named after the path. */
  feature?: string
  /** Whether the screen needs a selected customer, can use one, or ignores it. */
  customer: 'needed' | 'welcome' | 'ignored'
  action?: AccountAction
  /** Needed on the portal itself, whatever the account. */
  portalAction?: PortalAction
  /** Where people go who may not open the screen; /nopermissions by default. */
  refusedTo?: string
  /** The types of customer that have this screen; all by default. */
  customerTypes?: readonly OrgType[]
}

export function featureOf(screen: Pick<Screen, 'path' | 'feature'>): string {
  return screen.feature ?? screen.path.split('/')[0] ?? screen.path
}
