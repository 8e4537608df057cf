import type { AccountAction } from '#domain/access/can.ts'
import type { OrgType } from '#domain/access/standing.ts'
import type { MenuGroup } from '#web/app/menu/menu-group.ts'

/** A screen of the portal: where it is, what it is called, and what it takes to be let in. */
export type Screen = {
  /** The route, without the slash at its start; its first part is also the name of its feature flag. */
  path: string
  title: string
  /** One line for those who do not know the screen yet. */
  about: string
  group?: MenuGroup
  /** The screen one level up, when it is not the menu's. */
  parent?: { title: string; path: string }
  /** Only when the flag is named otherwise. */
  feature?: string
  /** Whether the screen works on a customer: it needs one, can do with or without, or has nothing to do with any. */
  customer: 'needed' | 'welcome' | 'ignored'
  action?: AccountAction
  /** Where those go who may not enter it; /nopermissions unless said otherwise. */
  refusedTo?: string
  /** Only when not every type of customer has this screen. */
  customerTypes?: readonly OrgType[]
}

export function featureOf(screen: Pick<Screen, 'path' | 'feature'>): string {
  return screen.feature ?? screen.path.split('/')[0] ?? screen.path
}
