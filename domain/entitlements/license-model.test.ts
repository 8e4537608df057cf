import { expect, test } from 'vitest'
import { licenseModelGroup } from '#domain/entitlements/license-model.ts'

test.each([
  ['Network', 'Solver', 'Network'],
  ['Network Testing', 'Solver', 'Network'],
  ['Helic', 'Solver', 'Network'],
  ['Ansoft Borrow', 'Solver', 'Network'],
  ['Apache', 'Solver', 'Network'],
  ['Ansoft', 'Solver', 'Network'],
  ['Fluent', 'Solver', 'Network'],
  ['Pay-Per-Use', 'Solver', 'Network'],
  ['Evaluation', 'Solver', 'Network'],
  ['Sequence', 'Solver', 'Network'],
  ['Annual', 'Solver', 'Network'],
  ['Shared Web', 'Solver', 'Shared Web'],
  ['ConcurrentProduct', 'Solver', 'Shared Web'],
  ['FSA', 'Solver', 'FSA'],
  ['Node Locked', 'Solver', 'Node Locked'],
  ['Named User', 'Solver', 'Named User'],
  // an unknown model
  ['Orbital Token', 'Solver', 'Network'],
  ['', 'Solver', 'Network'],
  // models are codes, not words: another spelling is another model
  ['shared web', 'Solver', 'Network'],
  // the product's name decides over the model
  ['Network', 'Solver (NODE)', 'Node Locked'],
  ['FSA', 'Solver (NODE) Premium', 'Node Locked'],
  ['Network', 'Solver (node)', 'Network'],
  ['Network', 'NODE Solver', 'Network'],
])('model %j of product %j is in group %s', (licenseModel, productName, group) => {
  expect(licenseModelGroup(licenseModel, productName)).toBe(group)
})
