import type { WebEntitlement } from '#contract/web-licenses/web-lists.ts'
import type { GivenEntitlement } from '#domain/web-licenses/give-seat.ts'
import { WEB_LICENSE_MODELS } from '#domain/web-licenses/web-license.ts'
import { countText } from '#web/lib/format.ts'

/** A web license from which a denied user could get a seat. */
export type Offered = GivenEntitlement & Pick<WebEntitlement, 'product' | 'endDate' | 'licenseModel'>

export const toOffered = (row: WebEntitlement, isOwn: boolean): Offered => ({
  ...row,
  kind: row.licenseModel === WEB_LICENSE_MODELS.SUBSCRIPTION ? 'SUBSCRIPTION' : 'CONCURRENT',
  term: { startDate: row.startDate, endDate: row.endDate },
  isOwn,
})

export function useText({ kind, licenseModel, quantity, assigned, running }: Offered): string {
  const [used, what] = kind === 'SUBSCRIPTION' ? [assigned, 'assigned'] : [running, 'in use']
  return `${licenseModel} · ${countText(used)} of ${countText(quantity)} seats ${what}`
}
