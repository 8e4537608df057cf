import { activationId } from '#server/demo/entitlement-row.ts'

/** How much of an elastic entitlement is used, in percent, and how large a part of all sessions drew on it. */
export type UsageTarget = { readonly percent: number; readonly share: number }

const AERODYNE: Readonly<Record<string, UsageTarget>> = {
  'elastic, used up': { percent: 100, share: 0.04 },
  'elastic, 95 % used': { percent: 96.37, share: 0.1 },
  'elastic, 80 % used': { percent: 84.2, share: 0.11 },
  'elastic, partly used': { percent: 41.8, share: 0.2 },
  'elastic, other currency': { percent: 23.5, share: 0.01 },
  'elastic, ends today': { percent: 62.5, share: 0.03 },
  'elastic, expired yesterday': { percent: 71.25, share: 0.04 },
  'elastic, of last year': { percent: 88.8, share: 0.17 },
}
const NIMBUS: Readonly<Record<string, UsageTarget>> = {
  'elastic, nearly used up': { percent: 98.62, share: 0.12 },
  'elastic, of last year': { percent: 99.2, share: 0.06 },
}
const HERITAGE: Readonly<Record<string, UsageTarget>> = { 'elastic, of last year': { percent: 74, share: 0.03 } }

const BY_ACCOUNT = { '100001': AERODYNE, '100007': NIMBUS, '100008': HERITAGE }

/** What the named accounts have to show, by activation id; what is not among them is unused. */
export const USAGE_TARGETS: ReadonlyMap<string, UsageTarget> = new Map(
  Object.entries(BY_ACCOUNT).flatMap(([customerNumber, targets]) =>
    Object.entries(targets).map(([purpose, target]) => [activationId({ customerNumber, purpose }), target] as const),
  ),
)

/** What is left for all generated accounts together. */
export const SHARE_OF_OTHERS = 1 - [...USAGE_TARGETS.values()].reduce((sum, { share }) => sum + share, 0)

export const isNamedAccount = (customerNumber: string) => customerNumber in BY_ACCOUNT
