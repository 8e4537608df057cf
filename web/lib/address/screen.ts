import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { type AccountAction, areActivationsAllowed, type PortalAction } from '#domain/access/can.ts'
import type { Actor, OrgType, Standing } from '#domain/access/standing.ts'

/** A screen of the portal. The router, the menu, the palette and Home read it. */
export type Screen = {
  /** The route without its leading slash. Its first part is also the name of its feature flag. */
  readonly path: string
  readonly title: string
  /** One line about the screen, for Home. */
  readonly about: string
  /** Other words that people search for when they mean this screen. */
  readonly synonyms?: string
  readonly icon: Icon
  /** The group of the menu, in which screens without a parent have an entry. */
  readonly group?: MenuGroup
  /** The group instead of one that this person does not see. */
  readonly otherGroup?: MenuGroup
  /** Restricts the menu entry further than the rights that opening the screen takes. */
  isInMenu?(viewer: Viewer): boolean
  /** In the menu only if this feature flag is chosen, or only if it is not. */
  readonly variant?: { readonly flag: string; readonly when: 'chosen' | 'not chosen' }
  /** The list that this screen belongs to. */
  readonly parent?: { readonly title: string; readonly path: string }
  /** The feature flag, if it is not named after the path. */
  readonly feature?: string
  /** Whether the screen needs a selected customer, can use one, or ignores it. */
  readonly customer: 'needed' | 'welcome' | 'ignored'
  readonly action?: AccountAction
  /** Needed on the portal itself, whatever the account. */
  readonly portalAction?: PortalAction
  /** Where people go who may not open the screen; /nopermissions by default. */
  readonly refusedTo?: string
  /** The types of customer that have this screen; all by default. */
  readonly customerTypes?: readonly OrgType[]
  /** Loads the code when the screen is first opened. */
  page(): Promise<{ Page: ComponentType }>
}

export function featureOf(screen: Pick<Screen, 'path' | 'feature'>): string {
  return screen.feature ?? screen.path.split('/')[0] ?? screen.path
}

/** The signed-in person, the selected account if there is one, and whether there is none to select. */
export type Viewer = { who: Actor; on: Standing | undefined; hasNoAccount?: boolean }

/** Everyone who sees an account may use elastic licensing, if the account has any. */
export const hasElastic = ({ on }: Viewer) => (on?.holdings.elastic ?? 0) > 0
const hasWebLicenses = ({ on }: Viewer) => on?.holdings.sharedWeb === true || on?.holdings.namedUser === true
const everybody = () => true

/** The groups of the menu in their order, and who sees them. */
export const MENU_GROUPS = {
  // An entry of its own. Customers without an account have nothing there.
  Home: ({ who, hasNoAccount }: Viewer) => !hasNoAccount || who.staff.size > 0,
  Entitlements: everybody,
  Activations: ({ who, on }: Viewer) => areActivationsAllowed(who, on),
  Web: hasWebLicenses,
  'Elastic Reporting': hasElastic,
  Settings: everybody,
  Messages: everybody,
  Administration: everybody,
} satisfies Record<string, (viewer: Viewer) => boolean>

export type MenuGroup = keyof typeof MENU_GROUPS
