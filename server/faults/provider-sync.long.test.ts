import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { PROVISIONING_SCOPE } from '#domain/tokens/token-areas.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { openPortalDatabase, ownCluster } from '#server/testing/load/own-cluster.ts'
import { freePort, type PortalProcess, startPortalProcess } from '#server/testing/portal-process.ts'
import { addWebGroup, mapGroup } from '#server/testing/scim/scim-client.ts'
import { until } from '#server/testing/until.ts'
import { usedDataDirectory } from '#server/testing/walkable-directory.ts'
import { addWebAccount, userOf } from '#server/testing/web-licenses.ts'

const NUMBER = 'KS-1'
const PEOPLE = 1_000
const AT_ONCE = 6
const HAND_MADE = 4

/**
 * A provider adds 1,000 people and puts them into a group that gives seats, changes all of them, deactivates a third and removes a third,
 * while the portal is killed four times. It sends a call again until it has an answer, as providers do.
 */
test('four times kill -9 while a provider syncs 1,000 people loses nobody and leaves nobody a seat', async () => {
  const dataDir = usedDataDirectory('provider-sync')
  const cluster = await ownCluster(dataDir)
  const { connection } = cluster
  await cluster.start()
  const { db } = await openPortalDatabase(connection)
  const port = String(await freePort())
  const start = () => startPortalProcess(connection, { PORT: port, RATE_LIMIT: '1000000' })
  let portal: PortalProcess = await start()
  onTestFinished(() => portal.kill())
  await addWebAccount(db, NUMBER, [{ id: 'N', quantity: PEOPLE }])
  const webGroupId = await addWebGroup(db, NUMBER, 'Everybody', 'N')
  const { headers } = await giveApiToken(
    { db, clock: { now: () => new Date() } },
    { customerNumber: NUMBER, scopes: [PROVISIONING_SCOPE] },
  )

  let answered = 0
  let lost = 0
  async function send(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: { id: string; Resources: { id: string }[] } }> {
    for (;;) {
      try {
        const answer = await fetch(`${portal.origin}/scim/v2/${NUMBER}${path}`, {
          method,
          headers: { ...headers, 'content-type': 'application/scim+json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        const text = await answer.text()
        if (answer.status >= 500 || answer.status === 429) throw new Error(`${answer.status}`)
        answered++
        return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
      } catch {
        lost++
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  /** A call whose answer was lost has perhaps been done. */
  async function create(type: 'Users' | 'Groups', body: object, filter: string): Promise<string> {
    const made = await send('POST', `/${type}`, body)
    if (made.status === 201) return made.body.id
    expect(made.status).toBe(409)
    return (await send('GET', `/${type}?filter=${encodeURIComponent(filter)}`)).body.Resources[0]!.id
  }
  async function forEach(numbers: readonly number[], work: (number: number) => Promise<void>): Promise<void> {
    const left = [...numbers]
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let number = left.shift(); number !== undefined; number = left.shift()) await work(number)
      }),
    )
  }
  /** Kills the portal once so many calls of a phase are answered, and starts it again. */
  async function withKill(work: () => Promise<void>): Promise<void> {
    const begun = answered
    const after = 50 + Math.floor(Math.random() * 150)
    const killing = (async () => {
      await until(() => answered >= begun + after, 'nothing is answered')
      await portal.kill()
      portal = await start()
    })()
    await work()
    await killing
  }

  const everybody = Array.from({ length: PEOPLE }, (_, at) => at)
  const name = (at: number) => `person${at}@sync.example`
  const ids: string[] = []
  await withKill(() =>
    forEach(everybody, async (at) => {
      const body = { userName: name(at), emails: [{ value: name(at), primary: true }], active: true }
      ids[at] = await create('Users', body, `userName eq "${name(at)}"`)
    }),
  )
  const group = await create('Groups', { displayName: 'Everybody' }, 'displayName eq "Everybody"')
  await mapGroup(db, NUMBER, group, { webGroupId })
  const tens = everybody.filter((at) => at % 5 === 0)
  await withKill(() =>
    forEach(tens, async (at) => {
      const value = ids.slice(at, at + 5).map((id) => ({ value: id }))
      const { status } = await send('PATCH', `/Groups/${group}`, {
        Operations: [{ op: 'Add', path: 'members', value }],
      })
      expect(status).toBe(204)
    }),
  )
  await withKill(() =>
    forEach(everybody, async (at) => {
      const isLeaving = at % 3 === 1
      const operations = [
        {
          op: 'Add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: `D${at % 7}`,
        },
        ...(isLeaving ? [{ op: 'Replace', path: 'active', value: 'False' }] : []),
      ]
      expect((await send('PATCH', `/Users/${ids[at]}`, { Operations: operations })).status).toBe(204)
    }),
  )
  await withKill(() =>
    forEach(
      everybody.filter((at) => at % 3 === 2),
      async (at) => {
        // Gone already, if the answer was lost.
        expect([204, 404]).toContain((await send('DELETE', `/Users/${ids[at]}`)).status)
      },
    ),
  )

  const staying = everybody
    .filter((at) => at % 3 === 0)
    .map(name)
    .sort()
  const users = await db
    .selectFrom('scim_user')
    .select(['email', 'is_active', 'department'])
    .where('customer_number', '=', NUMBER)
    .execute()
  expect(
    users
      .filter((one) => one.is_active)
      .map((one) => one.email)
      .sort(),
  ).toEqual(staying)
  expect(users.filter((one) => !one.is_active)).toHaveLength(everybody.filter((at) => at % 3 === 1).length)
  expect(users.filter((one) => one.department === null)).toEqual([])
  const seats = await db.selectFrom('web_seat').select('email').where('customer_number', '=', NUMBER).execute()
  expect(seats.map((one) => one.email).sort()).toEqual(staying)
  const use = await db.selectFrom('web_license_use').select('seats').where('customer_number', '=', NUMBER).execute()
  expect(use).toEqual([{ seats: staying.length }])
  const webUsers = await db.selectFrom('web_user').select('email').where('customer_number', '=', NUMBER).execute()
  expect(webUsers).toHaveLength(staying.length + HAND_MADE)
  expect(webUsers.map((one) => one.email)).toContain(userOf('ann'))
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from scim_given where customer_number = ${NUMBER} and email <> all (${staying}::text[])`.execute(
    db,
  )
  expect(rows).toEqual([{ left: 0 }])
  console.log(`provider-sync: ${answered} calls answered, ${lost} sent again, 4 kills`)
})
