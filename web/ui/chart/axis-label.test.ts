import { expect, test } from 'vitest'
import { brokenLabel, cutLabel } from '#web/ui/chart/axis-label.ts'

test.each([
  ['Wing', 'Wing'],
  ['123456789-123456789-1234', '123456789-123456789-1234'],
  ['123456789-123456789-12345', '123456789-123456789-123…'],
  ['x'.repeat(200), `${'x'.repeat(23)}…`],
  ['Structural Mechanics of Wings', 'Structural Mechanics of…'],
  // A sign of two code units stays whole.
  [`${'x'.repeat(22)}😀😀😀`, `${'x'.repeat(22)}😀…`],
])('an axis shows %s as %s', (label, shown) => {
  expect(cutLabel(label)).toBe(shown)
})

test.each([
  ['2026-11-16', ['2026-11-16']],
  ['Photonic Circuit Designer', ['Photonic Circuit', 'Designer']],
  ['Mission Systems Toolkit', ['Mission Systems', 'Toolkit']],
  ['A Toolkit', ['A', 'Toolkit']],
])('the label %s is broken into %j', (label, lines) => {
  expect(brokenLabel(label)).toEqual(lines)
})
