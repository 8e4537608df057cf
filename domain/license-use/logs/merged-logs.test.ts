import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readUsageTexts } from '#domain/license-use/read-usage-text.ts'

function read(...logs: (readonly string[])[]) {
  const files = logs.map((lines) => ({ file: 'debug.log', bytes: new TextEncoder().encode(`${lines.join('\n')}\n`) }))
  const results = readUsageTexts(files)
  const [result] = results
  if (results.length !== 1 || result?.kind !== 'log') throw new Error('This is not one log')
  const { checkouts, denials, lifecycle, summary } = result
  return { checkouts, denials, lifecycle, summary }
}
const STAMP = '(lmgrd) TIMESTAMP 3/9/2026'
const two = (value: number) => String(value).padStart(2, '0')
const clock = (second: number) => `10:${two(Math.floor(second / 60))}:${two(second % 60)}`

const event = fc.record({
  kind: fc.constantFrom('OUT', 'OUT', 'IN', 'DENIED', 'start'),
  user: fc.constantFrom('ann', 'eve'),
  pause: fc.integer({ min: 1, max: 90 }),
})

test('files that were cut from one log anywhere, with lines in common, say together what the log says', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), fc.nat(30), fc.nat(30), (events, cut, overlap) => {
      let second = 0
      const lines = events.map(({ kind, user, pause }) => {
        second += pause
        if (kind === 'start')
          return `${clock(second)} (lmgrd) FlexNet Licensing (v11) started on lic1 (linux) (3/9/2026)`
        return `${clock(second)} (sim) ${kind}: "f" ${user}@pc  ${kind === 'DENIED' ? '(No (-4,342))' : ''}`
      })
      const dated = (from: number, to: number) => [`${clock(0)} ${STAMP}`, ...lines.slice(from, to)]
      const [older, newer, whole] = [
        dated(0, cut),
        dated(Math.max(0, cut - overlap), lines.length),
        dated(0, lines.length),
      ]
      expect(read(older, newer)).toEqual(read(whole))
      expect(read(newer, older)).toEqual(read(whole))
      expect(read(whole, newer, older, whole)).toEqual(read(whole))
    }),
    { numRuns: 300 },
  )
})

test('equal lines of one log are separate events', () => {
  const lines = [`${clock(0)} ${STAMP}`, ...Array<string>(3).fill(`${clock(1)} (sim) OUT: "f" ann@pc  `)]
  expect(read(lines, lines.slice(0, 3)).summary.checkouts).toBe(3)
})

test('lines keep their order where the clock was set back', () => {
  const out = (time: string, user: string) => `${time} (sim) OUT: "f" ${user}@pc  `
  const older = ['2:00:00 (lmgrd) TIMESTAMP 3/9/2026', out(' 2:50:00', 'ann'), ' 2:10:00 (sim) IN: "f" ann@pc  ']
  const { checkouts } = read(older, ['4:00:00 (lmgrd) TIMESTAMP 3/9/2026', out(' 4:00:01', 'eve')])
  expect(checkouts).toMatchObject([
    { user: 'ann', out: '2026-03-09T02:50:00', in: '2026-03-09T02:10:00' },
    { user: 'eve', in: null },
  ])
})
