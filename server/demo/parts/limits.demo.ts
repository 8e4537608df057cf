import type { Limit } from '#domain/elastic/limits/limit.ts'
import type { DemoPart } from '#server/demo/demo-part.ts'
import { loadLimits, saveLimits, saveProductRules } from '#server/modules/elastic/limits/limits.queries.ts'

const CUSTOMER = '100001'

const limit = (id: string, changes: Partial<Limit>) => ({
  id,
  subject: 'account' as const,
  user: null,
  project: null,
  product: null,
  period: 'month' as const,
  currency: 'AEU',
  warnAt: null,
  refuseAt: null,
  from: null,
  to: null,
  ...changes,
})

/** Limits with room for what people try out: nothing that starts in the demo is refused by them. */
const LIMITS = [
  limit('account-monthly', { warnAt: '40000.00', refuseAt: '60000.00' }),
  limit('everybody-daily', { subject: 'user', period: 'day', refuseAt: '2500.00' }),
  limit('batch-daily', { subject: 'user', user: 'AERODYNE\\svc_batch', period: 'day', refuseAt: '5000.00' }),
  limit('gearbox-monthly', { subject: 'project', project: 'Gearbox Thermal', warnAt: '4000.00', refuseAt: '6000.00' }),
  limit('trainee-optics', {
    subject: 'user+product',
    user: 'trainee',
    product: 'Optical Ray Studio',
    refuseAt: '50.00',
  }),
]

export const limits: DemoPart = {
  name: 'limits',
  async load(tx) {
    const { limits: before } = await loadLimits(tx, CUSTOMER)
    await saveLimits(tx, CUSTOMER, { before, after: LIMITS })
    await saveProductRules(tx, CUSTOMER, [{ user: 'trainee', kind: 'deny', products: ['Structural Mechanics Pro'] }])
  },
}
