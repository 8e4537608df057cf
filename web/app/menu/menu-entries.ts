import {
  areActivationsAllowed,
  isCustomerTypeAllowed,
  isExportApproved,
  isSelfServeAllowed,
  isSslPermitted,
} from '#domain/access/can.ts'
import { type Actor, isStaff, type Standing } from '#domain/access/standing.ts'
import type { MenuGroup } from '#web/app/menu/menu-group.ts'
import type { ScreenPath } from '#web/app/screens/screens.ts'

/** The signed-in person, the selected account if there is one, and whether there is none to select. */
export type Viewer = { who: Actor; on: Standing | undefined; hasNoAccount?: boolean }

export type MenuEntry = {
  path: ScreenPath
  isShown?(viewer: Viewer): boolean
  /** Shown only if this feature flag is chosen, or only if it is not. */
  variant?: { flag: string; when: 'chosen' | 'not chosen' }
}

type Group = { title: MenuGroup; isShown?(viewer: Viewer): boolean; entries: readonly MenuEntry[] }

/** Everyone who sees an account may use elastic licensing, if the account has any. */
const hasElastic = ({ on }: Viewer) => (on?.holdings.elastic ?? 0) > 0
const hasWebLicenses = ({ on }: Viewer) => on?.holdings.sharedWeb === true || on?.holdings.namedUser === true
const isElasticAllowed = () => true
const isOpen = (on: Standing) => isExportApproved(on.exportControlStatus) && isCustomerTypeAllowed(on)

export const MENU: readonly Group[] = [
  {
    title: 'Entitlements',
    entries: [
      // Without an account the entry leads to /noselectedcustomer.
      { path: 'ssl', isShown: ({ who, on }) => !on || isSelfServeAllowed(who, on) },
      // Without elastic entitlements the entry would lead to /ssl.
      { path: 'elastic', isShown: (viewer) => !viewer.on || hasElastic(viewer) },
      { path: 'entitlementsFSA', isShown: ({ on }) => on?.holdings.fsa === true },
      { path: 'planner', isShown: ({ who, on }) => areActivationsAllowed(who, on) },
    ],
  },
  {
    title: 'Activations',
    isShown: ({ who, on }) => areActivationsAllowed(who, on),
    entries: [{ path: 'activations' }, { path: 'activations-history' }, { path: 'license-use' }],
  },
  {
    title: 'Web',
    isShown: hasWebLicenses,
    entries: [
      { path: 'f1202990', variant: { flag: 'f1202990', when: 'chosen' } },
      { path: 'web-assignments', variant: { flag: 'f1202990', when: 'not chosen' } },
      { path: 'web-transactions' },
      { path: 'web-reporting' },
      { path: 'optimization' },
    ],
  },
  {
    title: 'Elastic Reporting',
    isShown: (viewer) => isElasticAllowed() && hasElastic(viewer),
    entries: [
      { path: 'transactions' },
      { path: 'statementv2' },
      { path: 'elastic-denials' },
      // Optimization is mainly about seats, so it is in the group above if that is shown.
      { path: 'optimization', isShown: (viewer) => !hasWebLicenses(viewer) },
    ],
  },
  {
    title: 'Settings',
    isShown: ({ on }) => isElasticAllowed() || isSslPermitted(on),
    entries: [
      { path: 'portalaccess' },
      { path: 'clscredentials', isShown: hasElastic },
      { path: 'whitelistips', isShown: hasElastic },
      { path: 'tokens' },
      { path: 'webhooks' },
      { path: 'reminders' },
      // Without an account, staff see what concerns none.
      { path: 'audit', isShown: ({ who, on }) => on !== undefined || isStaff(who) },
    ],
  },
  {
    title: 'Messages',
    entries: [
      { path: 'requests' },
      // For web users: those who see no account, and contacts of other accounts. Accounts that are closed show only alerts.
      { path: 'my-requests', isShown: ({ who, on }) => !isStaff(who) && (!on || isOpen(on)) },
      { path: 'emails' },
      { path: 'notifications' },
    ],
  },
  {
    title: 'Administration',
    entries: [{ path: 'operations' }],
  },
]
