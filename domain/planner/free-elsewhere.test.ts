import { expect, test } from 'vitest'
import { countFreeElsewhere, type EventsOfServers } from '#domain/planner/free-elsewhere.ts'

const limit = (hostId: string, seats: number | null, at = 0) => ({ hostId, at, seats })
const checkout = (hostId: string, from: number, to: number, count = 1) => ({ hostId, from, to, count })
const denied = { hostId: 'full', at: 10, count: 1 }

test.each<{ name: string; count: number } & Partial<EventsOfServers>>([
  { name: 'counts a denial while another server has a free seat', limits: [limit('free', 1)], count: 1 },
  { name: 'does not count free seats of the server that refused', limits: [limit('full', 9)], count: 0 },
  {
    name: 'does not count a server whose seats are all in use',
    limits: [limit('other', 1)],
    checkouts: [checkout('other', 5, 20)],
    count: 0,
  },
  {
    name: 'counts a seat that comes back in the second of the denial',
    limits: [limit('other', 1)],
    checkouts: [checkout('other', 5, 10)],
    count: 1,
  },
  {
    name: 'does not count a seat that goes out in the second of the denial',
    limits: [limit('other', 1)],
    checkouts: [checkout('other', 10, 11)],
    count: 0,
  },
  { name: 'does not count a server whose seats are not known', limits: [limit('other', null)], count: 0 },
  { name: 'counts the seats that a server had then', limits: [limit('other', 0), limit('other', 5, 11)], count: 0 },
  {
    name: 'needs all seats of a request on one server',
    limits: [limit('one', 2), limit('other', 2)],
    denials: [{ ...denied, count: 3 }],
    count: 0,
  },
  {
    name: 'counts each denial once',
    limits: [limit('one', 2), limit('other', 2)],
    denials: [denied, denied],
    count: 2,
  },
])('$name', ({ limits = [], checkouts = [], denials = [denied], count }) => {
  expect(countFreeElsewhere({ limits, checkouts, denials })).toBe(count)
})
