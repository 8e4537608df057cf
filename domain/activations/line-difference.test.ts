import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDifference, longestCommon } from '#domain/activations/line-difference.ts'

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
])('%j to %j: %s', (before, after, expected) => {
  const result = marked(before, after)
  expect(result).toBe(expected)
  expect(result.replace(/\+./g, '').replaceAll('-', '')).toBe(before)
  expect(result.replace(/-./g, '').replaceAll('+', '')).toBe(after)
})

/** The textbook's table, for comparison. */
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

test('finds a longest common part, and rebuilds both sides', () => {
  const lists = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 90 })
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const differences = lineDifference(before, after)
      const kept = differences.filter((one) => one.kind === 'unchanged')
      expect(kept.length).toBe(longestLength(before, after))
      expect(longestCommon(before, after).length).toBe(kept.length)
      expect(differences.flatMap((one) => ('before' in one ? [one.before] : []))).toEqual([...before.keys()])
      expect(differences.flatMap((one) => ('after' in one ? [one.after] : []))).toEqual([...after.keys()])
      for (const one of kept) expect(before[one.before]).toBe(after[one.after])
    }),
    { numRuns: 500 },
  )
})

test('compares ten thousand lines in any order', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`)
  const shuffled = lines.map((_, index) => lines[(index * 7919) % lines.length]!)
  const kept = (before: readonly string[], after: readonly string[]) =>
    lineDifference(before, after).filter(({ kind }) => kind === 'unchanged').length
  expect(kept(lines, shuffled)).toBeGreaterThan(1)
  expect(kept(lines, [...lines].reverse())).toBe(1)
  expect(kept(lines, lines.toSpliced(5000, 1))).toBe(9999)
  const twoKinds = lines.map((_, index) => (index % 3 ? 'a' : 'b'))
  expect(kept(twoKinds, [...twoKinds].reverse())).toBeGreaterThan(9000)
})

test('still answers for far longer lists, without the shortest difference', () => {
  const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}`)
  expect(lineDifference(['first', ...long], ['first', ...long.toReversed()]).length).toBe(40_001)
})
