import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { endSession, startSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { getChargeback, type WireChargeback } from '#contract/elastic/statements/chargeback.ts'
import { getStatement, type WireStatement } from '#contract/elastic/statements/statements.ts'
import type { SentTransaction } from '#contract/elastic/usage/send-usage.ts'
import { usageList } from '#contract/elastic/usage/usage-list.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { sum, toFixedText } from '#domain/money/decimal.ts'
import { isFullRun } from '#server/testing/full-run.ts'
import {
  addMeteredAccount,
  bookedCharges,
  codesOf,
  type MeteredPortal,
  PRODUCT,
  sentTransaction,
  sessionRequest,
  startMeteredPortal,
} from '#server/testing/metering.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { driftedDays } from '#server/testing/usage.ts'

let portal: MeteredPortal
beforeAll(async () => {
  portal = await startMeteredPortal('usage')
})
afterAll(() => portal.close())

const charged = (account: string, changes: Partial<SentTransaction> = {}) => sentTransaction(portal, account, changes)
const correction = (account: string, correctionOf: string, charge: string, changes: Partial<SentTransaction> = {}) =>
  sentTransaction(portal, account, { correctionOf, charge, ...changes })
const send = async (...transactions: SentTransaction[]) => codesOf((await portal.sendUsage(transactions)).lines)

async function usage(customerNumber: string) {
  const olivia = await portal.asOlivia()
  const { body } = await olivia(usageList.page, { body: { customerNumber } })
  return body.data as Record<string, unknown>[]
}

describe('a correction', () => {
  it('takes a charge back on the same entitlement, product, user, host and project, and names the original', async () => {
    await addMeteredAccount(portal.db, 'K1')
    const original = charged('K1', { username: 'ben', host: 'ws7', project: 'Wing' })
    expect(await send(original)).toEqual(['SUCCESS'])
    const back = correction('K1', original.id, '-2.50', { product: 'Another name', username: 'somebody' })
    expect(await send(back)).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'K1')).toEqual({ 'K1-1': '5.00' })
    const rows = await usage('K1')
    expect(rows.find((row) => row.DeviceID === back.id)).toMatchObject({
      Charge: -2.5,
      SessionStatus: 'Correction',
      CorrectionOf: original.id,
      CorrectedNumber: rows.find((row) => row.DeviceID === original.id)?.TransactionNumber,
      Product: PRODUCT,
      User: 'ben',
      Host: 'ws7',
      Project: 'Wing',
      ActivationID: 'K1-1',
      Hours: 0,
    })
    expect(rows.find((row) => row.DeviceID === original.id)).toMatchObject({
      CorrectionOf: null,
      CorrectedNumber: null,
    })
    expect(await driftedDays(portal.db, ['K1'])).toEqual([])
  })

  it('is booked once, however often it is sent', async () => {
    await addMeteredAccount(portal.db, 'K2')
    const original = charged('K2')
    const back = correction('K2', original.id, '-1.00')
    expect(await send(original, back, back)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(back)))
    for (const answer of answers) expect(answer).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'K2')).toEqual({ 'K2-1': '6.50' })
  })

  it('never takes back more than was charged, by one line, several, or several at the same time', async () => {
    await addMeteredAccount(portal.db, 'K3')
    const original = charged('K3')
    await send(original)
    expect(await send(correction('K3', original.id, '-7.51'))).toEqual(['OVER_CORRECTED'])
    const tooMuch = [correction('K3', original.id, '-5.00'), correction('K3', original.id, '-2.51')]
    expect(await send(...tooMuch)).toEqual(['SUCCESS', 'OVER_CORRECTED'])
    const parallel = await Promise.all(Array.from({ length: 5 }, () => send(correction('K3', original.id, '-1.25'))))
    expect(parallel.flat().sort()).toEqual(['OVER_CORRECTED', 'OVER_CORRECTED', 'OVER_CORRECTED', 'SUCCESS', 'SUCCESS'])
    expect(await bookedCharges(portal.db, 'K3')).toEqual({ 'K3-1': '0.00' })
    expect(await driftedDays(portal.db, ['K3'])).toEqual([])
  })

  it('is refused with a code of its own, and a refused one can be sent again', async () => {
    await addMeteredAccount(portal.db, 'K4', {
      sold: [
        { id: 'K4-1', units: 100 },
        { id: 'K4-2', units: 100, to: '2099-12-31' },
      ],
    })
    await addMeteredAccount(portal.db, 'K5')
    const [original, foreign] = [charged('K4'), charged('K5')]
    await send(original, foreign)
    const early = correction('K4', original.id, '-1.00', { startTime: original.startTime, endTime: original.startTime })
    const mismatch = correction('K4', original.id, '-1.00', { activationId: 'K4-2' })
    const refused = [
      correction('K4', 'nobody-sent-this', '-1.00'),
      correction('K4', foreign.id, '-1.00'),
      mismatch,
      correction('K4', original.id, '1.00'),
      correction('K4', original.id, '-0.00'),
      charged('K4', { charge: '-1.00', activationId: 'K4-1' }),
      early,
    ]
    expect(await send(...refused)).toEqual([
      'UNKNOWN_ORIGINAL',
      'UNKNOWN_ORIGINAL',
      'ACTIVATION_MISMATCH',
      'INVALID_TRANSACTION',
      'INVALID_TRANSACTION',
      'INVALID_TRANSACTION',
      'INVALID_TRANSACTION',
    ])
    expect(await bookedCharges(portal.db, 'K4')).toEqual({ 'K4-1': '7.50' })
    const mended = { ...mismatch, activationId: 'K4-1' }
    expect(await send(mended)).toEqual(['SUCCESS'])
    expect(await send(correction('K4', mended.id, '-0.50'))).toEqual(['INVALID_TRANSACTION'])
    expect(await bookedCharges(portal.db, 'K4')).toEqual({ 'K4-1': '6.50' })
  })

  it('a correction of a split charge gives back what was drawn last, or the part that it names', async () => {
    await addMeteredAccount(portal.db, 'K6', {
      sold: [
        { id: 'K6-1', units: 5, to: '2098-01-01' },
        { id: 'K6-2', units: 100, to: '2099-01-01' },
      ],
    })
    const original = charged('K6')
    await send(original)
    expect(await bookedCharges(portal.db, 'K6')).toEqual({ 'K6-1': '5.00', 'K6-2': '2.50' })
    expect(await send(correction('K6', original.id, '-3.00'))).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'K6')).toEqual({ 'K6-1': '4.50', 'K6-2': '0.00' })
    expect(await send(correction('K6', original.id, '-0.50', { activationId: 'K6-1' }))).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'K6')).toEqual({ 'K6-1': '4.00', 'K6-2': '0.00' })
  })

  it('takes back what a session cost', async () => {
    await addMeteredAccount(portal.db, 'K7')
    const sessions = (await giveServiceKey(portal, 'Sessions', { scopes: ['sessions'] })).headers
    const nobody = await portal.as(null)
    const started = await nobody(startSession, { body: sessionRequest('K7'), headers: sessions })
    const { sessionId } = started.body.data as { sessionId: string }
    const now = () => portal.clock.now().toISOString()
    const back = () => correction('K7', sessionId, '-0.25', { startTime: now(), endTime: now() })
    expect(await send(back())).toEqual(['UNKNOWN_ORIGINAL'])
    portal.clock.forward(4 * 60_000)
    await nobody(endSession, { params: { sessionId }, headers: sessions })
    expect(await send(back())).toEqual(['SUCCESS'])
    expect(await bookedCharges(portal.db, 'K7')).toEqual({ 'K7-1': '0.25' })
    // What a repeated end answers is what the session cost.
    const again = await nobody(endSession, { params: { sessionId }, headers: sessions })
    expect(again.body.data).toMatchObject({ charge: '0.50' })
  })

  it('is refused where export compliance denies the account', async () => {
    await addMeteredAccount(portal.db, 'K8')
    const original = charged('K8')
    await send(original)
    await portal.db
      .updateTable('account')
      .set({ export_control_status: 'Denied' })
      .where('customer_number', '=', 'K8')
      .execute()
    expect(await send(correction('K8', original.id, '-1.00'))).toEqual(['EXPORT'])
  })
})

test('whatever is corrected, statement, chargeback and balance agree, and no original goes below zero', async () => {
  let round = 0
  const wish = fc.record({ original: fc.nat({ max: 5 }), cents: fc.integer({ min: 1, max: 900 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 180 }), { minLength: 1, maxLength: 6 }),
      fc.array(wish, { maxLength: 10 }),
      async (minutes, wishes) => {
        const account = `KP${++round}`
        await addMeteredAccount(portal.db, account, {
          timeZone: 'Asia/Kolkata',
          sold: [20, 500].map((units, at) => ({ id: `${account}-${at}`, units, to: `209${at}-01-01` })),
        })
        const originals = minutes.map((length) => {
          const ended = portal.clock.now().getTime() - length * 60_000
          return charged(account, {
            startTime: new Date(ended - length * 60_000).toISOString(),
            endTime: new Date(ended).toISOString(),
            username: `user-${length % 3}`,
          })
        })
        await send(...originals)
        const corrections = wishes.map(({ original, cents }) =>
          correction(account, originals[original % originals.length]?.id ?? '', `-${(cents / 100).toFixed(2)}`, {
            startTime: portal.clock.now().toISOString(),
            endTime: portal.clock.now().toISOString(),
          }),
        )
        if (corrections.length > 0)
          for (const code of await send(...corrections)) expect(['SUCCESS', 'OVER_CORRECTED']).toContain(code)

        const byOriginal = new Map<unknown, number>()
        for (const row of await usage(account)) {
          const id = row.CorrectionOf ?? row.DeviceID
          byOriginal.set(id, (byOriginal.get(id) ?? 0) + Math.round(Number(row.Charge) * 100))
        }
        for (const cents of byOriginal.values()) expect(cents).toBeGreaterThanOrEqual(0)
        const period = { from: '2020-01-01', to: dayIn('Asia/Kolkata', portal.clock.now()) }
        const olivia = await portal.asOlivia()
        const stated = (await olivia(getStatement, { body: { customerNumber: account, ...period } })).body
        const { Records } = stated.data as WireStatement
        const booked = await bookedCharges(portal.db, account)
        expect(Object.fromEntries(Records.map((one) => [one.ActivationId, one.Used]))).toMatchObject(booked)
        const taken = (await usage(account)).filter((row) => row.CorrectionOf !== null)
        expect((stated.data as WireStatement).Corrections).toEqual(
          taken.length === 0
            ? []
            : [
                {
                  currency: 'AEU',
                  total: toFixedText(sum(taken.map((row) => String(row.Charge))), 2),
                  transactions: taken.length,
                },
              ],
        )
        const total = [...byOriginal.values()].reduce((before, cents) => before + cents, 0)
        const back = await olivia(getChargeback, { body: { customerNumber: account, ...period, by: 'user' } })
        expect((back.body.data as WireChargeback).Totals).toMatchObject([{ Used: (total / 100).toFixed(2) }])
        expect(await driftedDays(portal.db, [account])).toEqual([])
      },
    ),
    { numRuns: isFullRun ? 12 : 4 },
  )
})
