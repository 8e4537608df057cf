import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, dayIn } from '#domain/calendar/calendar-day.ts'
import { fetchRows } from '#server/lists/testing/page-rows.ts'
import { hostHistorySource } from '#server/modules/activations/history/host-history.list.ts'
import { listServers } from '#server/modules/activations/hosts/list-servers.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

test.each([0, 25, 100, 400, 5000])(
  'the table and the list of servers agree on each license file, %i days from now',
  async (days) => {
    const today = addDays(dayIn('UTC', portal.clock.now()), days)
    for (const customerNumber of ['100001', '100002', '100003', '100006', '100008', '100009']) {
      const scope = { customerNumber, state: 'Active', history: null, timeZone: 'UTC', today, isSharing: true } as const
      const { rows } = await fetchRows(portal.db, hostHistorySource, scope, { limit: 1000 })
      const servers = await listServers(portal.db, customerNumber, today)
      const expected = servers
        .filter(({ state }) => state === 'Active')
        .map(({ id, isOutOfDate }) => [id, isOutOfDate ? 'Out of date' : 'Up to date'] as const)
      expect(new Map(rows.map((row) => [row.serverId, row.licenseFile]))).toEqual(new Map(expected))
    }
  },
)
