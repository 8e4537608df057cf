import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { type EntitlementRow, entitlementRow, lease, permanent, type Term } from '#server/demo/entitlement-row.ts'
import { generateAccounts } from '#server/demo/generated-accounts.ts'
import { generateLeases, HISTORY_ONLY, LEASES_ONLY, type TermMix, USUAL_MIX } from '#server/demo/generated-leases.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { NAMED_ACCOUNTS } from '#server/demo/named-accounts.ts'
import { CURRENT_RATES, FORMER_RATES } from '#server/demo/parts/catalog.demo.ts'
import { fsaContracts } from '#server/demo/parts/fsa.demo.ts'
import { AWKWARD_PRODUCTS, ELASTIC_UNITS, productNamed } from '#server/demo/products.ts'
import { claimActivationIds } from '#server/modules/entitlements/activation-ids.queries.ts'

/** What an account has bought; the numbers are how many leases and perpetuals are drawn. */
type Holdings = {
  readonly leases: number
  readonly mix?: TermMix
  readonly hasShowcase?: boolean
  readonly hasElastic?: boolean
  readonly fsa?: 'every state' | 'untouched'
}

const NAMED_HOLDINGS: Readonly<Record<string, Holdings>> = {
  '100001': { leases: 72, hasShowcase: true, hasElastic: true, fsa: 'every state' },
  '100002': { leases: 16 },
  '100003': { leases: 22, mix: LEASES_ONLY, fsa: 'untouched' },
  '100004': { leases: 6 },
  '100005': { leases: 4 },
  '100006': { leases: 28, mix: LEASES_ONLY },
  '100007': { leases: 0, hasElastic: true },
  '100008': { leases: 18, mix: HISTORY_ONLY, hasElastic: true },
  '100009': { leases: 8, mix: LEASES_ONLY },
}

/** Has a contract and nothing else, until somebody orders from it. */
const CONTRACT_ONLY = '200002'

/** One in this many generated accounts has entitlements, and every second one of those has elastic units as well. */
const SPREAD = 30

export const entitlements: DemoPart = {
  name: 'entitlements',
  async load(tx, world) {
    const named = NAMED_ACCOUNTS.map((account) => ({ account, holdings: NAMED_HOLDINGS[account.customerNumber] }))
    const random = world.random('entitlements')
    const spread = generateAccounts(world.random('accounts'))
      .filter((_, index) => index % SPREAD === 0)
      .map((account, index) => ({
        account,
        holdings: { leases: random.integer(2, 8), hasElastic: index % 2 === 1 } satisfies Holdings,
      }))
    const contractOnly = generateAccounts(world.random('accounts'))
      .filter(({ customerNumber }) => customerNumber === CONTRACT_ONLY)
      .map((account) => ({ account, holdings: { leases: 0, fsa: 'untouched' } satisfies Holdings }))
    const rows = [...named, ...spread, ...contractOnly].flatMap(({ account, holdings }) =>
      holdings ? entitlementsOf(account.customerNumber, world.today(account.timeZone), holdings) : [],
    )
    await claimActivationIds(tx, rows)
    await insertRows(tx, 'entitlement', rows)
  },
}

function entitlementsOf(customerNumber: string, today: CalendarDay, holdings: Holdings): EntitlementRow[] {
  return [
    ...(holdings.hasShowcase ? showcaseLeases(customerNumber, today) : []),
    ...generateLeases({ customerNumber, today, count: holdings.leases, mix: holdings.mix ?? USUAL_MIX }),
    ...(holdings.hasElastic ? elasticEntitlements(customerNumber, today) : []),
    ...(holdings.fsa ? fsaContracts(customerNumber, today, holdings.fsa) : []),
  ]
}

type Elastic = {
  /** With the customer number this gives the activation id on which usage is booked. */
  readonly purpose: string
  readonly from: number
  readonly to: number
  readonly lines: number
  readonly unitsPerLine: number
  readonly currency?: 'AEU' | 'AEC'
  readonly rates?: string
  readonly state?: 'Draft'
}

/**
 * Entitlements that end first are drawn on first, so those used most end earlier. The usage data decides how much of
 * each is used; the purposes state the target.
 */
const AERODYNE: readonly Elastic[] = [
  { purpose: 'elastic, used up', from: -300, to: 20, lines: 1, unitsPerLine: 5000 },
  { purpose: 'elastic, 95 % used', from: -240, to: 55, lines: 2, unitsPerLine: 10000 },
  { purpose: 'elastic, 80 % used', from: -200, to: 110, lines: 5, unitsPerLine: 5000 },
  { purpose: 'elastic, partly used', from: -150, to: 214, lines: 10, unitsPerLine: 10000 },
  { purpose: 'elastic, other currency', from: -90, to: 274, lines: 3, unitsPerLine: 2500.5, currency: 'AEC' },
  { purpose: 'elastic, unused', from: -5, to: 359, lines: 1, unitsPerLine: 1000 },
  { purpose: 'elastic, ends today', from: -364, to: 0, lines: 2, unitsPerLine: 4000, rates: FORMER_RATES },
  { purpose: 'elastic, expired yesterday', from: -365, to: -1, lines: 4, unitsPerLine: 2500, rates: FORMER_RATES },
  { purpose: 'elastic, of last year', from: -760, to: -396, lines: 8, unitsPerLine: 5000, rates: FORMER_RATES },
  { purpose: 'elastic, starts tomorrow', from: 1, to: 365, lines: 5, unitsPerLine: 10000 },
  { purpose: 'elastic, not yet deployed', from: -1, to: 363, lines: 1, unitsPerLine: 9999, state: 'Draft' },
]

const NIMBUS: readonly Elastic[] = [
  { purpose: 'elastic, nearly used up', from: -280, to: 84, lines: 6, unitsPerLine: 5000 },
  { purpose: 'elastic, of last year', from: -640, to: -276, lines: 3, unitsPerLine: 5000, rates: FORMER_RATES },
]

/** Expired, but the account still counts as having elastic. */
const HERITAGE: readonly Elastic[] = [
  { purpose: 'elastic, of last year', from: -700, to: -336, lines: 1, unitsPerLine: 3000, rates: FORMER_RATES },
]

const SMALL: readonly Elastic[] = [{ purpose: 'elastic', from: -100, to: 264, lines: 1, unitsPerLine: 2000 }]

const BY_ACCOUNT: Readonly<Record<string, readonly Elastic[]>> = {
  '100001': AERODYNE,
  '100007': NIMBUS,
  '100008': HERITAGE,
}

function elasticEntitlements(customerNumber: string, today: CalendarDay): EntitlementRow[] {
  return (BY_ACCOUNT[customerNumber] ?? SMALL).map((one) =>
    entitlementRow(
      { customerNumber, purpose: one.purpose },
      {
        product: ELASTIC_UNITS,
        licenseModel: 'Elastic-AEU',
        term: lease(today, one.from, one.to),
        quantity: one.lines,
      },
      {
        units_per_line: one.unitsPerLine,
        currency: one.currency ?? 'AEU',
        rate_table_version: one.rates ?? CURRENT_RATES,
        state: one.state ?? 'Deployed',
      },
    ),
  )
}

/** Every raw license model that the portal knows (FSA comes with the spending accounts), and one that it does not. */
const LICENSE_MODELS: readonly (readonly [model: string, product: string])[] = [
  ['Network', 'Structural Mechanics Premium'],
  ['Network Testing', 'Fatigue and Durability'],
  ['Helic', 'Electromagnetics Low Frequency'],
  ['Ansoft Borrow', 'Electromagnetics High Frequency'],
  ['Apache', 'Chip Power Integrity'],
  ['Ansoft', 'Circuit Board Signal Integrity'],
  ['Fluent', 'Fluid Flow Enterprise'],
  ['Pay-Per-Use', 'HPC Pack'],
  ['Evaluation', 'Photonic Circuit Designer'],
  ['Sequence', 'RTL Power Explorer'],
  ['Annual', 'Material Data Manager'],
  ['Shared Web', 'Mission Systems Toolkit'],
  ['ConcurrentProduct', 'Design Exploration'],
  ['Node Locked', 'Geometry Modeler (NODE)'],
  ['Named User', 'Optical Ray Studio'],
  ['Orbital Token', 'Multiphysics Coupling Hub'],
]

/** One lease or perpetual for every state that a screen can show, on whichever day the data is made. */
function showcaseLeases(customerNumber: string, today: CalendarDay): EntitlementRow[] {
  const rows: EntitlementRow[] = []
  const add = (
    purpose: string,
    productName: string,
    licenseModel: string,
    term: Term,
    quantity: number,
    other: Partial<EntitlementRow> = {},
  ) => {
    const terms = { product: productNamed(productName), licenseModel, term, quantity }
    rows.push(entitlementRow({ customerNumber, purpose }, terms, other))
  }

  add('active, more than 90 days left', 'Structural Mechanics Enterprise', 'Network', lease(today, -120, 244), 25)
  add('active, 91 days left', 'Structural Mechanics Pro', 'Network', lease(today, -274, 90), 10)
  add('active, 90 days left', 'Fluid Flow Pro', 'Fluent', lease(today, -275, 89), 12)
  add('active, 31 days left', 'Explicit Impact Solver', 'Network', lease(today, -334, 30), 4)
  add('active, 30 days left', 'Composite Layup Designer', 'Network', lease(today, -335, 29), 6)
  add('active, one week left', 'Antenna Array Designer', 'Ansoft', lease(today, -358, 6), 3)
  add('ends today', 'Acoustics Response', 'Network', lease(today, -364, 0), 2)
  add('starts today', 'Fluid Meshing', 'Fluent', lease(today, 0, 364), 8)
  add('one day only', 'Rigid Body Dynamics', 'Network', lease(today, 0, 0), 1)
  add('expired yesterday', 'Additive Build Process', 'Network', lease(today, -365, -1), 5)
  add('expired long ago', 'Combustion Chemistry', 'Fluent', lease(today, -1460, -1096), 2)
  add('starts tomorrow', 'Electronics Cooling', 'Ansoft', lease(today, 1, 365), 4)
  add('starts in two months', 'HPC Workgroup 128', 'Network', lease(today, 60, 424), 1)
  add('permanent, maintained', 'Structural Mechanics Premium', 'Network', permanent(today, -1600, 200), 15)
  add('permanent, maintenance ends today', 'Chip Thermal Signoff', 'Apache', permanent(today, -1825, 0), 2)
  add('permanent, maintenance ended', 'Fluid Flow Enterprise', 'Fluent', permanent(today, -2400, -1), 6)
  add('permanent, unmaintained for years', 'Optical Sensor Simulator', 'Network', permanent(today, -3650, -1500), 1)
  add('evaluation', 'Chip Power Integrity', 'Network', lease(today, -10, 19), 1, { type: 'Evaluation' })
  add('evaluation over', 'RTL Power Explorer', 'Network', lease(today, -60, -30), 1, { type: 'Evaluation' })
  add('borrowable, permanent', 'Electric Motor Design (NODE)', 'Ansoft Borrow', permanent(today, -900, 120), 3)
  add('node-locked', 'Structural Mechanics Pro (NODE)', 'Node Locked', lease(today, -45, 319), 7)
  add('node-locked by its name', 'Fluid Flow Solver (NODE)', 'Network', lease(today, -45, 319), 5)
  add('thousands', 'HPC Pack', 'Network', lease(today, -30, 334), 1250)
  add('none left to give', 'Electrostatic Discharge Check', 'Apache', lease(today, -30, 334), 0)
  add('shared web, expired', 'Structural Mechanics Pro', 'Shared Web', lease(today, -400, -36), 10)
  add('named user, about to end', 'Photonic Circuit Designer', 'Named User', lease(today, -350, 14), 5)
  add('not yet deployed', 'Fluid Flow Pro', 'Fluent', lease(today, -5, 359), 4, { state: 'Draft' })
  add('withdrawn', 'Geometry Modeler', 'Network', lease(today, -200, 164), 4, { state: 'Obsolete' })
  LICENSE_MODELS.forEach(([model, product], index) => {
    const type = model === 'Evaluation' ? { type: 'Evaluation' } : {}
    add(`model ${model}`, product, model, lease(today, -70 - index, 294 - index), 3 + index, type)
  })
  AWKWARD_PRODUCTS.forEach((product, index) => {
    add(`awkward name ${index + 1}`, product.name, 'Network', lease(today, -20 - index, 344 - index), 2 + index)
  })
  return rows
}
