import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DraftLimit, getLimits, replayLimits, saveLimits } from '#contract/elastic/limits/limits.ts'
import { endSession } from '#contract/elastic/sessions/elastic-sessions.ts'
import { addMeteredAccount, type MeteredPortal, startMeteredPortal } from '#server/testing/metering.ts'
import { addScimUsers } from '#server/testing/scim/scim-users.ts'

const MINUTE = 60_000
const customerNumber = 'P1'

let portal: MeteredPortal
const design: string[] = []
beforeAll(async () => {
  portal = await startMeteredPortal('sessions')
  await addMeteredAccount(portal.db, customerNumber, { sold: [{ id: 'P1-1', units: 100_000 }] })
  await addScimUsers(portal, customerNumber, [
    { userName: 'anna@p1.example', department: 'Design', costCenter: '4711' },
    { userName: 'ben@p1.example', department: 'DESIGN' },
    { userName: 'carl@p1.example', email: 'c.miller@p1.example', department: 'Test' },
    { userName: 'dora@p1.example' },
  ])
})
afterAll(() => portal.close())

const draft = (changes: Partial<DraftLimit> = {}): DraftLimit => ({
  id: 'limit',
  subject: 'department',
  user: null,
  project: null,
  product: null,
  period: 'month',
  currency: 'AEU',
  warnAt: null,
  refuseAt: '3.76',
  from: null,
  to: null,
  ...changes,
})

async function save(...limits: DraftLimit[]) {
  const olivia = await portal.asOlivia()
  const answer = await olivia(saveLimits, { body: { customerNumber, limits, productRules: [] } })
  expect(answer).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
}
const start = (username: string) => portal.startSession(customerNumber, { username })

describe('a limit of every department, which is twice the first 15 minutes', () => {
  test('counts the sessions of all people of a department together, and of no other people', async () => {
    await save(draft())
    for (const username of ['anna', 'BEN']) {
      const { status, data } = await start(username)
      expect(status).toBe('SUCCESS')
      design.push(data.sessionId)
    }
    const refused = await start('anna')
    expect(refused).toMatchObject({ code: 'LIMIT' })
    expect(refused.err).toContain('is reached for department Design: 3.76 are used')
    expect(await start('c.miller')).toMatchObject({ status: 'SUCCESS' })
    for (const nobodys of ['dora', 'stranger']) {
      expect(await start(nobodys)).toMatchObject({ status: 'SUCCESS' })
      expect(await start(nobodys)).toMatchObject({ status: 'SUCCESS' })
      expect(await start(nobodys)).toMatchObject({ status: 'SUCCESS' })
    }
  })

  test('admits no more of many starts at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => start('carl@p1.example')))
    expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'LIMIT')).toHaveLength(19)
  })

  test('shows the department that has used most, also after its sessions are booked', async () => {
    const use = async () => {
      const olivia = await portal.asOlivia()
      const { body } = await olivia(getLimits, { body: { customerNumber } })
      return (body.data as { use: Record<string, object> }).use.limit
    }
    expect(await use()).toMatchObject({ used: '3.76', name: expect.stringMatching(/^Department /), others: 1 })
    portal.clock.forward(10 * MINUTE)
    for (const sessionId of design) await portal.call(endSession, { params: { sessionId } })
    // The two of Design are booked with ten minutes each.
    expect(await use()).toMatchObject({ used: '3.76', name: 'Department Test', others: 1 })
    expect(await start('ben')).toMatchObject({ code: 'LIMIT' })
  })
})

test('an exception for one department goes before the default, and a cost center has a limit of its own', async () => {
  await save(draft(), draft({ id: 'design', user: 'design', refuseAt: '5.64' }))
  expect(await start('ben')).toMatchObject({ status: 'SUCCESS' })
  expect(await start('ben')).toMatchObject({ code: 'LIMIT' })
  await save(draft({ id: 'costs', subject: 'cost-center', user: '4711', refuseAt: '1.88' }))
  expect(await start('anna')).toMatchObject({ code: 'LIMIT' })
  expect(await start('ben')).toMatchObject({ status: 'SUCCESS' })
})

test('the replay of last month knows departments', async () => {
  const olivia = await portal.asOlivia()
  const { body } = await olivia(replayLimits, { body: { customerNumber, limits: [draft()], productRules: [] } })
  expect(body).toMatchObject({ status: 'SUCCESS', data: { refused: 0 } })
})
