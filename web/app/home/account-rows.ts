import type { AccountsHome } from '#contract/home/accounts-home.ts'
import { ENDING_STEPS } from '#domain/home/ending.ts'
import { deniedBetween, endingWithin, usedUpUnits, webDeniedBetween } from '#web/app/home/home-links.ts'

const STEP = ENDING_STEPS[0]
const plural = (one: string, many: string, rest: string) => (count: number) => `${count === 1 ? one : many} ${rest}`

/** Why an account needs attention, in the order of the columns. */
export const NEED_KINDS = {
  denied: { header: 'Denied Starts', what: plural('session start', 'session starts', 'denied in 7 days') },
  webDenied: { header: 'Denied Web', what: plural('web checkout', 'web checkouts', 'denied in 7 days') },
  overdrawn: { header: 'Units Used Up', what: plural('entitlement', 'entitlements', 'used up or overdrawn') },
  leases: { header: 'Leases End', what: plural('lease', 'leases', `ending within ${STEP} days`) },
  webLicenses: { header: 'Web End', what: plural('web license', 'web licenses', `ending within ${STEP} days`) },
  elastic: {
    header: 'Elastic End',
    what: plural('elastic entitlement', 'elastic entitlements', `ending within ${STEP} days`),
  },
  contracts: {
    header: 'Spending End',
    what: plural('spending account', 'spending accounts', `ending within ${STEP} days`),
  },
} as const
export type NeedKind = keyof typeof NEED_KINDS

type Counted = {
  readonly AccountID: string
  readonly AccountName: string
  readonly count: number
  readonly link: string
}

/** An account, how much of each kind waits on it, and where that is listed. */
export type AccountInNeed = { readonly AccountID: string; readonly AccountName: string } & Readonly<
  Record<NeedKind, number>
> & { readonly links: Readonly<Partial<Record<NeedKind, string>>> }

const NOTHING = { denied: 0, webDenied: 0, overdrawn: 0, leases: 0, webLicenses: 0, elastic: 0, contracts: 0 }

/** One row for each account with anything that waits. */
export function accountRows(home: AccountsHome): AccountInNeed[] {
  const rows = new Map<string, AccountInNeed>()
  for (const [kind, accounts] of countedByKind(home))
    for (const { AccountID, AccountName, count, link } of accounts) {
      const row = rows.get(AccountID) ?? { AccountID, AccountName, ...NOTHING, links: {} }
      rows.set(AccountID, { ...row, [kind]: count, links: { ...row.links, [kind]: link } })
    }
  return [...rows.values()]
}

function countedByKind({ denied, webDenied, overdrawn, ending }: AccountsHome): [NeedKind, Counted[]][] {
  return [
    ['denied', denied.accounts.map((one) => ({ ...one, link: deniedBetween(one.from, one.to) }))],
    ['webDenied', webDenied.accounts.map((one) => ({ ...one, link: webDeniedBetween(one.from, one.to) }))],
    ['overdrawn', overdrawn.accounts.map((one) => ({ ...one, link: usedUpUnits() }))],
    ...(['leases', 'webLicenses', 'elastic', 'contracts'] as const).map((kind): [NeedKind, Counted[]] => [
      kind,
      ending[kind].accounts.map((one) => ({ ...one, link: endingWithin(kind, STEP) })),
    ]),
  ]
}

/** The server names so many accounts of a kind at most. */
export const isCut = ({ denied, webDenied, overdrawn, ending }: AccountsHome): boolean =>
  [denied, webDenied, overdrawn, ...Object.values(ending)].some(({ total, accounts }) => total > accounts.length)
