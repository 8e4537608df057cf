import { can, canOnPortal, isCustomerTypeAllowed, isExportApproved } from '#domain/access/can.ts'
import type { Actor, Standing } from '#domain/access/standing.ts'
import type { Portfolio } from '#web/app/customer/portfolio.ts'
import type { FeatureSwitches } from '#web/app/screens/feature-switches.ts'
import { featureOf, type Screen } from '#web/lib/address/screen.ts'
import type { Customer } from '#web/lib/customer.tsx'

export type Situation = { actor: Actor; features: FeatureSwitches; customer: Customer; portfolio: Portfolio }

export type Verdict =
  | { kind: 'show' }
  | { kind: 'wait' }
  | { kind: 'failed'; failure: Error; retry(): void }
  | { kind: 'go'; to: string }

const SHOW: Verdict = { kind: 'show' }
const WAIT: Verdict = { kind: 'wait' }
const go = (to: string): Verdict => ({ kind: 'go', to })

type Entrance = Pick<
  Screen,
  'path' | 'feature' | 'customer' | 'action' | 'portalAction' | 'refusedTo' | 'customerTypes'
>

/** Whether a screen is shown, waits, or leads elsewhere. The server checks the same rules again. */
export function gate(screen: Entrance, { actor, features, customer, portfolio }: Situation): Verdict {
  if (!features.isOpen(featureOf(screen))) return go('/error/404')
  if (isClosed(screen, actor)) return go(screen.refusedTo ?? '/nopermissions')
  if (screen.customer === 'ignored') return SHOW
  switch (customer.state) {
    case 'known':
      return verdictOn(screen, actor, customer.standing)
    case 'failed':
      return { kind: 'failed', failure: customer.failure, retry: customer.retry }
    case 'none':
      return verdictWithout(screen, actor, portfolio)
    default:
      return WAIT
  }
}

/** Whether a person may not open a screen, whatever the account. */
export function isClosed({ portalAction }: Pick<Screen, 'portalAction'>, actor: Actor): boolean {
  return portalAction !== undefined && !canOnPortal(actor, portalAction).allowed
}

/** Whether a screen would refuse this person: the menu hides such entries. */
export function isRefused(screen: Entrance, actor: Actor, standing: Standing): boolean {
  return screen.customer !== 'ignored' && verdictOn(screen, actor, standing).kind === 'go'
}

function verdictOn(screen: Entrance, actor: Actor, standing: Standing): Verdict {
  if (!isExportApproved(standing.exportControlStatus)) return go('/noaccess')
  if (!isCustomerTypeAllowed(standing)) return go('/notypecustomer')
  if (screen.customerTypes && !screen.customerTypes.includes(standing.orgType)) return go('/notypecustomer')
  if (screen.action && !can(actor, screen.action, standing).allowed) return go(screen.refusedTo ?? '/nopermissions')
  return SHOW
}

function verdictWithout(screen: Entrance, actor: Actor, portfolio: Portfolio): Verdict {
  switch (portfolio.state) {
    case 'none':
      // Staff see every account, so there is none at all: Home says what to do.
      if (actor.staff.size > 0) return screen.customer === 'needed' ? go('/home') : SHOW
      return go('/nocustomer')
    case 'many':
      return screen.customer === 'needed' ? go('/noselectedcustomer') : SHOW
    case 'failed':
      return { kind: 'failed', failure: portfolio.failure, retry: portfolio.retry }
    default:
      // A single account is about to be selected.
      return WAIT
  }
}
