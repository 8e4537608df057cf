import type { CalendarDay } from '#domain/calendar/calendar-day.ts'
import { type EntitlementRow, entitlementRow } from '#server/demo/entitlement-row.ts'
import { lease, permanent, type Term } from '#server/demo/entitlement-term.ts'
import { AWKWARD_PRODUCTS, productNamed } from '#server/demo/products.ts'

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

/** One lease or perpetual for every state that a screen can show, so that each is there on whatever day this is made. */
export function showcaseLeases(customerNumber: string, today: CalendarDay): EntitlementRow[] {
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
