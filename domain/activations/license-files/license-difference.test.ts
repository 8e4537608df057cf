import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differenceText } from '#domain/activations/license-files/difference-text.ts'
import {
  changedLines,
  licenseDifference,
  lineDifference,
} from '#domain/activations/license-files/license-difference.ts'
import { licenseText } from '#domain/activations/license-files/license-text.ts'
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

test('a comparison by the letter finds every line, with its number', () => {
  const edited = before.replace('1055', '1066').replace('# 2.', '# 2. ')
  expect(changedLines(before, before.replaceAll('\n', '\r\n'))).toEqual([])
  expect(changedLines(before, edited).map(({ kind, line }) => `${kind} ${line}`)).toEqual([
    'removed 1',
    'added 1',
    expect.stringMatching(/^removed \d+$/),
    expect.stringMatching(/^added \d+$/),
  ])
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

  test('changes are summed up', () => {
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

describe('the difference of two lists of lines', () => {
  /** In the usual notation: - removed, + added. */
  function marked(before: string, after: string): string {
    return lineDifference([...before], [...after])
      .map((one) => {
        if (one.kind === 'removed') return `-${before[one.before]}`
        return one.kind === 'added' ? `+${after[one.after]}` : before[one.before]
      })
      .join('')
  }

  test.each([
    ['', '', ''],
    ['abc', 'abc', 'abc'],
    ['', 'ab', '+a+b'],
    ['ab', '', '-a-b'],
    ['abc', 'adc', 'a-b+dc'],
    ['abc', 'xyz', '-a-b-c+x+y+z'],
    ['abcd', 'acbd', 'a-bc+bd'],
    ['abcabba', 'cbabac', '-a-bc+bab-ba+c'],
    ['aaaa', 'aa', 'aa-a-a'],
  ])('a change of %j to %j is marked as %s', (before, after, expected) => {
    const result = marked(before, after)
    expect(result).toBe(expected)
    expect(result.replace(/\+./g, '').replaceAll('-', '')).toBe(before)
    expect(result.replace(/-./g, '').replaceAll('+', '')).toBe(after)
  })

  /** The textbook algorithm, for comparison. */
  function longestLength(one: readonly string[], other: readonly string[]): number {
    let row = new Array<number>(other.length + 1).fill(0)
    for (const element of one) {
      const next = [0]
      for (const [index, candidate] of other.entries())
        next.push(element === candidate ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!))
      row = next
    }
    return row[other.length] ?? 0
  }

  test('keeps a longest common subsequence, from which both sides can be rebuilt', () => {
    const lists = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 90 })
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const differences = lineDifference(before, after)
        const kept = differences.filter((one) => one.kind === 'unchanged')
        expect(kept.length).toBe(longestLength(before, after))
        expect(differences.flatMap((one) => ('before' in one ? [one.before] : []))).toEqual([...before.keys()])
        expect(differences.flatMap((one) => ('after' in one ? [one.after] : []))).toEqual([...after.keys()])
        for (const one of kept) expect(before[one.before]).toBe(after[one.after])
      }),
      { numRuns: 500 },
    )
  })

  /** Ten times the expected work. Steps are counted, not time, so that a busy machine makes no difference. */
  const MAX_CPU_SECONDS = 3

  test('compares ten thousand lines with little work', () => {
    const begun = process.threadCpuUsage()
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`)
    const kept = (before: readonly string[], after: readonly string[]) =>
      lineDifference(before, after).filter(({ kind }) => kind === 'unchanged').length
    expect(kept(lines, lines.toSpliced(5000, 1))).toBe(9999)
    expect(kept(lines, [...lines.slice(500), ...lines.slice(0, 500)])).toBe(9500)
    expect(
      kept(
        lines,
        lines.map((line, index) => (index % 3 ? line : `${line} edited`)),
      ),
    ).toBe(6666)
    const twoKinds = lines.map((_, index) => (index % 3 ? 'a' : 'b'))
    expect(kept(twoKinds, [...twoKinds].reverse())).toBeGreaterThan(9000)
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1_000_000).toBeLessThan(MAX_CPU_SECONDS)
  })

  test('counts all lines as changed where too many were moved, with little work', () => {
    const begun = process.threadCpuUsage()
    const long = Array.from({ length: 100_000 }, (_, index) => `line ${index}`)
    expect(lineDifference(long, long.toReversed()).length).toBe(200_000)
    const twoKinds = long.map((_, index) => (((index * 7919) % 10_007) % 2 ? 'a' : 'b'))
    expect(lineDifference(twoKinds, twoKinds.toReversed()).length).toBeLessThanOrEqual(200_000)
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1_000_000).toBeLessThan(MAX_CPU_SECONDS)
  })
})
