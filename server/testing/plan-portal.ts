import { afterAll, beforeAll, expect } from 'vitest'
import { serverCustomers, setSharedServer } from '#contract/activations/hosts/shared-server.ts'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { ADA, type Call, hostOf, OLIVIA, sellLicense } from '#server/testing/activations.ts'
import { activate, brokenRules, newHost, startPlanPortal } from '#server/testing/host-plans.ts'
import type { Portal } from '#server/testing/portal.ts'

export const FIRST = '100001'
export const SECOND = '100002'
export const UNMANAGED = '100003'
export const DENIED = '100004'

/**
 * The portal of one file of tests about host plans, with its first hosts. After all tests, checks that no rule of the
 * ledger is broken.
 */
export function planPortal() {
  let portal: Portal
  let calls: { ada: Call; olivia: Call }
  beforeAll(async () => {
    portal = await startPlanPortal()
    calls = { ada: await portal.as(ADA), olivia: await portal.as(OLIVIA) }
  })
  afterAll(async () => {
    expect(await brokenRules(portal)).toEqual([])
    await portal.close()
  })

  const ada: Call = (operation, parts) => calls.ada(operation, parts)
  const olivia: Call = (operation, parts) => calls.olivia(operation, parts)
  const about = (host: HostIdentity, customerNumber = FIRST) => ({ customerNumber, ...hostOf(host) })

  /** A host with seats of one entitlement. */
  async function activeHost(seats = 3, host = newHost()) {
    const id = await sellLicense(portal)
    await activate(ada, FIRST, host, { [id]: seats })
    return { host, id }
  }

  return {
    get portal() {
      return portal
    },
    ada,
    olivia,
    about,
    activeHost,
    /** In the time zone of the first account. */
    today: () => dayIn('Europe/Berlin', portal.clock.now()),
    async members(host: HostIdentity) {
      const { body } = await olivia(serverCustomers, { body: about(host) })
      return (body.data as { customerNumber: string }[]).map((one) => one.customerNumber)
    },
    /** A permanent license whose maintenance is over; only business operations could activate it. */
    async unmaintained(host: HostIdentity) {
      const id = await sellLicense(portal, { is_permanent: true, end_date: null, version_date: '2020-12-31' })
      await activate(olivia, FIRST, host, { [id]: 2 })
      return id
    },
    async sharedHost() {
      const { host, id } = await activeHost()
      const other = await sellLicense(portal, { customer_number: SECOND })
      await activate(ada, SECOND, host, { [other]: 2 })
      await ada(setSharedServer, { body: { ...about(host), group: [FIRST, SECOND] } })
      return { host, id, other }
    },
    findAudit: (action: string, target: string) =>
      portal.db
        .selectFrom('audit_log')
        .select(['customer_number', 'email', 'after', 'outcome'])
        .where('action', '=', action)
        .where('target', '=', target)
        .orderBy('id')
        .execute(),
  }
}
