import { describe, expect, test } from 'vitest'
import { differenceText, licenseDifference } from '#domain/activations/license-difference.ts'
import { licenseText } from '#domain/activations/license-text.ts'
import { fakeSign, issue, leased, nodeLocked, perpetual } from '#domain/activations/testing/license-samples.ts'

const write = (activations: Parameters<typeof licenseText>[0], issuedOn = '2026-11-15') =>
  licenseText(activations, { ...issue, issuedOn }, fakeSign) ?? ''
const one = { ...leased, features: ['struct_pro'] }
const before = write([one, perpetual], '2026-11-01')

test('a regenerated file differs in its date only', () => {
  const { entries, summary } = licenseDifference(before, write([one, perpetual]))
  expect(entries.every(({ kind }) => kind === 'unchanged')).toBe(true)
  expect(summary).toEqual({ added: 0, removed: 0, changed: 0, reissued: 2, unchanged: 0 })
  expect(differenceText(summary)).toBe('Licenses: 2 unchanged.')
})

test('an exact comparison includes date and signature', () => {
  const { entries, summary } = licenseDifference(before, write([one, perpetual]), 'letter')
  expect(entries.filter(({ kind }) => kind !== 'unchanged').length).toBe(4)
  expect(summary.reissued).toBe(2)
  expect(licenseDifference(before, before, 'letter').summary.unchanged).toBe(2)
})

describe('changes', () => {
  const { entries, summary } = licenseDifference(before, write([{ ...one, seats: 20 }, nodeLocked]))
  const blocks = (kind: string) => entries.filter((entry) => entry.kind === kind).map(({ lines }) => lines[0])

  test('a wrapped license is shown as a whole', () => {
    expect(blocks('removed')).toEqual([
      'VENDOR ansoftd',
      '# 1. Electromagnetics High Frequency: 1 seat, permanent, maintenance ends 31-mar-2027, customer 100001',
      'INCREMENT hfss_solve ansoftd 2027.0331 permanent 1 \\',
      '# 2. Structural Mechanics Pro: 12 seats, lease expiring 31-dec-2026, customer 100001',
      'INCREMENT struct_pro ansyslmd 9999.9999 31-dec-2026 12 \\',
    ])
    expect(blocks('added')).toEqual([
      '# 1. Geometry Modeler (NODE): 2 seats, lease expiring 31-dec-2026, customer 100001',
      'INCREMENT geometry ansyslmd 9999.9999 31-dec-2026 uncounted \\',
      '# 2. Structural Mechanics Pro: 20 seats, lease expiring 31-dec-2026, customer 100001',
      'INCREMENT struct_pro ansyslmd 9999.9999 31-dec-2026 20 \\',
    ])
    expect(blocks('unchanged')).toEqual(['SERVER lic-berlin-01 3cecef4b7d10 1055', 'VENDOR ansyslmd', 'USE_SERVER'])
    expect(entries.find(({ lines }) => lines[0]?.includes('geometry'))?.lines.length).toBeGreaterThan(3)
  })

  test('are summed up', () => {
    expect(summary).toEqual({ added: 1, removed: 1, changed: 1, reissued: 0, unchanged: 0 })
    expect(differenceText(summary)).toBe('Licenses: 1 added, 1 removed, 1 changed.')
  })
})

test('compares files of other vendors too', () => {
  const foreign =
    'SERVER a 001a2b3c4d5e\r\nFEATURE f v 1.0 permanent 1 SIGN=0\r\nFEATURE f v 1.0 permanent 1 SIGN=1\r\n'
  const { summary } = licenseDifference(foreign, `${foreign}FEATURE g v 1.0 permanent 1 SIGN=2`)
  expect(summary).toEqual({ added: 1, removed: 0, changed: 0, reissued: 0, unchanged: 2 })
  expect(differenceText(licenseDifference('', '').summary)).toBe('Neither file has licenses.')
})
