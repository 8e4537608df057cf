export type Daemon = 'ansyslmd' | 'ansoftd' | 'fluentd' | 'apacheda' | 'sequenced'

/** Periods in days that an FSA order can run for; 365 stands for "1 year". */
export const FSA_PERIODS = [7, 30, 60, 90, 180, 365] as const
export type FsaPeriod = (typeof FSA_PERIODS)[number]

export type Product = {
  readonly partNumber: string
  readonly name: string
  readonly daemon: Daemon
  readonly isNodeLocked: boolean
  readonly featureNames: readonly string[]
  /** Elastic units per hour in the current rate table; absent if it cannot be used elastically. */
  readonly rate?: number
  /** List price of 30 days in US dollars; absent if it cannot be ordered from a spending account. */
  readonly monthly?: number
  readonly periods: readonly FsaPeriod[]
}

type Terms = { rate?: number; monthly?: number; periods?: readonly FsaPeriod[] }

/** A product is node-locked if its name says so, as in the vendor's own price lists. */
function product(partNumber: string, name: string, daemon: Daemon, features: string, terms: Terms = {}): Product {
  return {
    partNumber,
    name,
    daemon,
    isNodeLocked: name.includes('(NODE)'),
    featureNames: features.split(' '),
    periods: FSA_PERIODS,
    ...terms,
  }
}

const SHORT_PERIODS = [7, 30, 60, 90, 180] as const
const MONTH_AND_QUARTER = [30, 90] as const

/** What engineers run. */
export const SIMULATION_PRODUCTS: readonly Product[] = [
  product('ANS0010110', 'Structural Mechanics Pro', 'ansyslmd', 'struct_pro prepost', { rate: 6, monthly: 1900 }),
  product('ANS0010120', 'Structural Mechanics Premium', 'ansyslmd', 'struct_prem prepost nonlin', {
    rate: 9.5,
    monthly: 2900,
  }),
  product('ANS0010130', 'Structural Mechanics Enterprise', 'ansyslmd', 'struct_ent prepost nonlin dynamics', {
    rate: 14,
    monthly: 4200,
  }),
  product('ANS0010111', 'Structural Mechanics Pro (NODE)', 'ansyslmd', 'struct_pro prepost', { monthly: 1500 }),
  product('ANS0010140', 'Explicit Impact Solver', 'ansyslmd', 'explicit_impact', { rate: 11.25, monthly: 3100 }),
  product('ANS0010150', 'Fatigue and Durability', 'ansyslmd', 'fatigue durability', {
    rate: 3.5,
    monthly: 900,
    periods: SHORT_PERIODS,
  }),
  product('ANS0010160', 'Composite Layup Designer', 'ansyslmd', 'composite_prep composite_post', {
    rate: 4.75,
    monthly: 1250,
  }),
  product('ANS0010170', 'Additive Build Process', 'ansyslmd', 'additive_build', {
    monthly: 1700,
    periods: SHORT_PERIODS,
  }),
  product('ANS0010180', 'Acoustics Response', 'ansyslmd', 'acoustics', { rate: 5.125, monthly: 1350 }),
  product('ANS0010190', 'Rigid Body Dynamics', 'ansyslmd', 'rigid_dynamics', { rate: 2.5, monthly: 700 }),
  product('ANS0010210', 'Thermal Desktop', 'ansyslmd', 'thermal_base', { rate: 3, monthly: 800 }),
  product('ANS0010220', 'Multiphysics Coupling Hub', 'ansyslmd', 'coupling_hub', { rate: 1.0625 }),
  product('ANS0010230', 'Material Data Manager', 'ansyslmd', 'material_data', {
    monthly: 400,
    periods: MONTH_AND_QUARTER,
  }),
  product('ANS0010240', 'Design Exploration', 'ansyslmd', 'design_explorer', { rate: 2, monthly: 550 }),
  product('ANS0010250', 'Geometry Modeler', 'ansyslmd', 'geometry_modeler', { rate: 1.5, monthly: 350 }),
  product('ANS0010251', 'Geometry Modeler (NODE)', 'ansyslmd', 'geometry_modeler'),
  product('ANS0010260', 'Optical Ray Studio', 'ansyslmd', 'optical_ray optical_cad', { rate: 7, monthly: 2100 }),
  product('ANS0010270', 'Optical Sensor Simulator', 'ansyslmd', 'optical_sensor', { rate: 8.25, monthly: 2300 }),
  product('ANS0010280', 'Photonic Circuit Designer', 'ansyslmd', 'photonic_circuit photonic_mode', {
    rate: 6.75,
    monthly: 1950,
    periods: SHORT_PERIODS,
  }),
  product('ANS0010290', 'Mission Systems Toolkit', 'ansyslmd', 'mission_base mission_coverage'),
  product('ANS0010310', 'HPC Pack', 'ansyslmd', 'hpc_pack', { rate: 4, monthly: 1100 }),
  product('ANS0010320', 'HPC Workgroup 128', 'ansyslmd', 'hpc_workgroup', { rate: 24, monthly: 6400 }),
  product('FLU0020110', 'Fluid Flow Pro', 'fluentd', 'flow_pro', { rate: 7.5, monthly: 2200 }),
  product('FLU0020120', 'Fluid Flow Enterprise', 'fluentd', 'flow_ent flow_post', { rate: 13.5, monthly: 3900 }),
  product('FLU0020121', 'Fluid Flow Solver (NODE)', 'fluentd', 'flow_solver', { monthly: 1800 }),
  product('FLU0020130', 'Fluid Meshing', 'fluentd', 'flow_mesh', { rate: 3.25, monthly: 850 }),
  product('FLU0020140', 'Combustion Chemistry', 'fluentd', 'chem_base chem_surface', {
    rate: 5.5,
    monthly: 1600,
    periods: MONTH_AND_QUARTER,
  }),
  product('ELE0030110', 'Electromagnetics High Frequency', 'ansoftd', 'em_high em_solve', { rate: 10, monthly: 3300 }),
  product('ELE0030120', 'Electromagnetics Low Frequency', 'ansoftd', 'em_low em_solve', { rate: 8, monthly: 2600 }),
  product('ELE0030130', 'Circuit Board Signal Integrity', 'ansoftd', 'board_si board_pi', { rate: 9, monthly: 2750 }),
  product('ELE0030140', 'Antenna Array Designer', 'ansoftd', 'antenna_array', { rate: 6.5, monthly: 1850 }),
  product('ELE0030150', 'Electronics Cooling', 'ansoftd', 'electronics_cooling', { rate: 5, monthly: 1400 }),
  product('ELE0030161', 'Electric Motor Design (NODE)', 'ansoftd', 'motor_design', { monthly: 1050 }),
  product('ELE0030170', 'Electronics HPC Pack', 'ansoftd', 'em_hpc', { rate: 4.5, monthly: 1150 }),
  product('CHI0040110', 'Chip Power Integrity', 'apacheda', 'chip_power chip_em', { rate: 28, monthly: 9800 }),
  product('CHI0040120', 'Chip Thermal Signoff', 'apacheda', 'chip_thermal', { rate: 22.5 }),
  product('CHI0040130', 'Electrostatic Discharge Check', 'apacheda', 'chip_esd'),
  product('RTL0050110', 'RTL Power Explorer', 'sequenced', 'rtl_power rtl_reduce', { rate: 18, monthly: 5200 }),
  product('RTL0050111', 'RTL Power Explorer (NODE)', 'sequenced', 'rtl_power'),
]

/** Names that break what does not quote or escape: grids, CSV and licence files, mails. */
export const AWKWARD_PRODUCTS: readonly Product[] = [
  product('ANS0090110', 'Aéroélasticité Avancée – Édition Zürich', 'ansyslmd', 'aeroelastic', { rate: 5.75 }),
  product('ANS0090120', 'Structures, Fluids, and Optics Bundle', 'ansyslmd', 'struct_pro flow_pro optical_ray', {
    rate: 16,
    monthly: 4800,
  }),
  product('ANS0090130', 'Engineer\'s "All-in-One" Desktop', 'ansyslmd', 'desktop_all'),
  product('ANS0090140', "Scripting Studio <script>alert('product')</script>", 'ansyslmd', 'scripting_studio', {
    rate: 0.5,
  }),
]

export const ELASTIC_UNITS = product('ELA0060110', 'Elastic Units', 'ansyslmd', 'elastic_units')
export const SPENDING_ACCOUNT = product('FSA0030100', 'Flexible Spending Account', 'ansyslmd', 'fsa_contract')
/** Manual lines carry this part number; both names are kept out of every list. */
export const MANUAL_DRAWDOWN = product(
  'FSA0030216',
  'Ansys Flexible Spending Account Manual Drawdown',
  'ansyslmd',
  'fsa_manual',
)
export const FORMER_MANUAL_DRAWDOWN = product(
  'FSA0030215',
  'Flexible Spending Account Manual Drawdown',
  'ansyslmd',
  'fsa_manual',
)

export const CATALOG: readonly Product[] = [
  ...SIMULATION_PRODUCTS,
  ...AWKWARD_PRODUCTS,
  ELASTIC_UNITS,
  SPENDING_ACCOUNT,
  MANUAL_DRAWDOWN,
  FORMER_MANUAL_DRAWDOWN,
]

const BY_NAME = new Map(CATALOG.map((one) => [one.name, one]))

export function productNamed(name: string): Product {
  const found = BY_NAME.get(name)
  if (!found) throw new Error(`The demo catalog has no product '${name}'`)
  return found
}

export const FSA_CURRENCIES = ['USD', 'EUR'] as const
export type FsaCurrency = (typeof FSA_CURRENCIES)[number]

/** Percent of the monthly price: the longer the period, the cheaper the day. */
const PERCENT_OF_MONTH: Record<FsaPeriod, number> = { 7: 35, 30: 100, 60: 185, 90: 260, 180: 480, 365: 850 }
const EUROS_PER_DOLLAR = 0.92

/** What one count of a product costs for a period, in whole cents, so that sums are exact. */
export function fsaPriceInCents(product: Product, currency: FsaCurrency, period: FsaPeriod): number | undefined {
  if (product.monthly === undefined || !product.periods.includes(period)) return undefined
  const dollars = product.monthly * PERCENT_OF_MONTH[period]
  return currency === 'USD' ? dollars : Math.round(dollars * EUROS_PER_DOLLAR)
}

export function inUnits(cents: number): string {
  return (cents / 100).toFixed(2)
}
