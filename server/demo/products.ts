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

/** A product is node-locked if its name says so, as in the vendor's own price lists. */
function product(
  partNumber: string,
  name: string,
  daemon: Daemon,
  features: string,
  rate?: number | null,
  monthly?: number,
  periods: readonly FsaPeriod[] = FSA_PERIODS,
): Product {
  const prices = { ...(rate ? { rate } : {}), ...(monthly ? { monthly } : {}) }
  const isNodeLocked = name.includes('(NODE)')
  return { partNumber, name, daemon, isNodeLocked, featureNames: features.split(' '), periods, ...prices }
}

const UP_TO_180 = [7, 30, 60, 90, 180] as const
const MONTH_OR_90 = [30, 90] as const

/** What engineers run. */
export const SIMULATION_PRODUCTS: readonly Product[] = [
  product('ANS0010110', 'Structural Mechanics Pro', 'ansyslmd', 'struct_pro prepost', 6, 1900),
  product('ANS0010120', 'Structural Mechanics Premium', 'ansyslmd', 'struct_prem prepost nonlin', 9.5, 2900),
  product('ANS0010130', 'Structural Mechanics Enterprise', 'ansyslmd', 'struct_ent prepost nonlin dynamics', 14, 4200),
  product('ANS0010111', 'Structural Mechanics Pro (NODE)', 'ansyslmd', 'struct_pro prepost', null, 1500),
  product('ANS0010140', 'Explicit Impact Solver', 'ansyslmd', 'explicit_impact', 11.25, 3100),
  product('ANS0010150', 'Fatigue and Durability', 'ansyslmd', 'fatigue durability', 3.5, 900, UP_TO_180),
  product('ANS0010160', 'Composite Layup Designer', 'ansyslmd', 'composite_prep composite_post', 4.75, 1250),
  product('ANS0010170', 'Additive Build Process', 'ansyslmd', 'additive_build', null, 1700, UP_TO_180),
  product('ANS0010180', 'Acoustics Response', 'ansyslmd', 'acoustics', 5.125, 1350),
  product('ANS0010190', 'Rigid Body Dynamics', 'ansyslmd', 'rigid_dynamics', 2.5, 700),
  product('ANS0010210', 'Thermal Desktop', 'ansyslmd', 'thermal_base', 3, 800),
  product('ANS0010220', 'Multiphysics Coupling Hub', 'ansyslmd', 'coupling_hub', 1.0625),
  product('ANS0010230', 'Material Data Manager', 'ansyslmd', 'material_data', null, 400, MONTH_OR_90),
  product('ANS0010240', 'Design Exploration', 'ansyslmd', 'design_explorer', 2, 550),
  product('ANS0010250', 'Geometry Modeler', 'ansyslmd', 'geometry_modeler', 1.5, 350),
  product('ANS0010251', 'Geometry Modeler (NODE)', 'ansyslmd', 'geometry_modeler'),
  product('ANS0010260', 'Optical Ray Studio', 'ansyslmd', 'optical_ray optical_cad', 7, 2100),
  product('ANS0010270', 'Optical Sensor Simulator', 'ansyslmd', 'optical_sensor', 8.25, 2300),
  product(
    'ANS0010280',
    'Photonic Circuit Designer',
    'ansyslmd',
    'photonic_circuit photonic_mode',
    6.75,
    1950,
    UP_TO_180,
  ),
  product('ANS0010290', 'Mission Systems Toolkit', 'ansyslmd', 'mission_base mission_coverage'),
  product('ANS0010310', 'HPC Pack', 'ansyslmd', 'hpc_pack', 4, 1100),
  product('ANS0010320', 'HPC Workgroup 128', 'ansyslmd', 'hpc_workgroup', 24, 6400),
  product('FLU0020110', 'Fluid Flow Pro', 'fluentd', 'flow_pro', 7.5, 2200),
  product('FLU0020120', 'Fluid Flow Enterprise', 'fluentd', 'flow_ent flow_post', 13.5, 3900),
  product('FLU0020121', 'Fluid Flow Solver (NODE)', 'fluentd', 'flow_solver', null, 1800),
  product('FLU0020130', 'Fluid Meshing', 'fluentd', 'flow_mesh', 3.25, 850),
  product('FLU0020140', 'Combustion Chemistry', 'fluentd', 'chem_base chem_surface', 5.5, 1600, MONTH_OR_90),
  product('ELE0030110', 'Electromagnetics High Frequency', 'ansoftd', 'em_high em_solve', 10, 3300),
  product('ELE0030120', 'Electromagnetics Low Frequency', 'ansoftd', 'em_low em_solve', 8, 2600),
  product('ELE0030130', 'Circuit Board Signal Integrity', 'ansoftd', 'board_si board_pi', 9, 2750),
  product('ELE0030140', 'Antenna Array Designer', 'ansoftd', 'antenna_array', 6.5, 1850),
  product('ELE0030150', 'Electronics Cooling', 'ansoftd', 'electronics_cooling', 5, 1400),
  product('ELE0030161', 'Electric Motor Design (NODE)', 'ansoftd', 'motor_design', null, 1050),
  product('ELE0030170', 'Electronics HPC Pack', 'ansoftd', 'em_hpc', 4.5, 1150),
  product('CHI0040110', 'Chip Power Integrity', 'apacheda', 'chip_power chip_em', 28, 9800),
  product('CHI0040120', 'Chip Thermal Signoff', 'apacheda', 'chip_thermal', 22.5),
  product('CHI0040130', 'Electrostatic Discharge Check', 'apacheda', 'chip_esd'),
  product('RTL0050110', 'RTL Power Explorer', 'sequenced', 'rtl_power rtl_reduce', 18, 5200),
  product('RTL0050111', 'RTL Power Explorer (NODE)', 'sequenced', 'rtl_power'),
]

/** Names that break code which does not quote or escape: grids, CSV and license files, mails. */
export const AWKWARD_PRODUCTS: readonly Product[] = [
  product('ANS0090110', 'Aéroélasticité Avancée – Édition Zürich', 'ansyslmd', 'aeroelastic', 5.75),
  product(
    'ANS0090120',
    'Structures, Fluids, and Optics Bundle',
    'ansyslmd',
    'struct_pro flow_pro optical_ray',
    16,
    4800,
  ),
  product('ANS0090130', 'Engineer\'s "All-in-One" Desktop', 'ansyslmd', 'desktop_all'),
  product('ANS0090140', "Scripting Studio <script>alert('product')</script>", 'ansyslmd', 'scripting_studio', 0.5),
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

/** Percent of the monthly price: longer periods cost less per day. */
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
