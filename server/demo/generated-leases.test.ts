import { expect, it } from 'vitest'
import { generateLeases, USUAL_MIX } from '#server/demo/generated-leases.ts'

const make = (count: number, today = '2026-11-15') =>
  generateLeases({ customerNumber: '300001', today, count, mix: USUAL_MIX })

it('makes thousands for one account, each with an activation id of its own', () => {
  const rows = make(5000)
  expect(new Set(rows.map((row) => row.activation_id)).size).toBe(5000)
})

it('only adds to what a smaller account has', () => {
  expect(make(50).slice(0, 20)).toEqual(make(20))
})

it('gives the same entitlements the same ids on another day, with other dates', () => {
  const [one, other] = [make(20), make(20, '2028-02-29')]
  expect(other.map((row) => row.activation_id)).toEqual(one.map((row) => row.activation_id))
  expect(other.map((row) => row.start_date)).not.toEqual(one.map((row) => row.start_date))
})
