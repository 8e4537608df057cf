import { sql } from 'kysely'
import { DENIAL_COLUMNS, denialList } from '#contract/elastic/sessions/denial-list.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { SESSION_REFUSAL_LABELS } from '#domain/elastic/sessions/session-refusal.ts'
import { listSource } from '#server/lists/list-source.ts'
import { csvListAnswer } from '#server/operations/file-answer.ts'
import type { Call, SentFile } from '#server/operations/route.ts'

const cases = Object.entries(SESSION_REFUSAL_LABELS).map(([reason, label]) => `when '${reason}' then '${label}'`)

/** Refused session starts of one account. */
export const denialSource = listSource(denialList, {
  columns: {
    Id: 'd.id',
    Time: 'd.denied_at',
    Reason: 'd.reason',
    ReasonText: `case d.reason ${cases.join(' ')} else d.reason end`,
    Product: 'd.product',
    ProductCount: 'd.product_count',
    User: 'd.user_name',
    Host: 'd.host',
    Project: 'd.project',
    productVersion: 'd.product_version',
    REFERER_IP_ADDRESS: 'd.external_ip',
    ServerID: 'd.server_id',
    Limit: 'd.limit_text',
    LimitID: 'd.limit_id',
  },
  from: sql`elastic_denial d`,
  scope: ({ customerNumber }: { customerNumber: string }) => sql<boolean>`d.customer_number = ${customerNumber}`,
})

export function exportDenials(call: Call<typeof denialList.exportCsv>): Promise<SentFile> {
  const { now, standing, timeZone } = call
  const { customerNumber } = standing
  return csvListAnswer(call, `elastic-denials_${customerNumber}_${dayIn(timeZone, now)}.csv`, {
    source: denialSource,
    scope: { customerNumber },
    columns: DENIAL_COLUMNS,
  })
}
