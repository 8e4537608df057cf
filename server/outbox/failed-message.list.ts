import { sql } from 'kysely'
import { failedMessageList } from '#contract/outbox/failed-messages.ts'
import { listSource } from '#server/lists/list-source.ts'

/** The failed messages of all lanes, without their content. */
export const failedMessageSource = listSource(failedMessageList, {
  columns: {
    id: 'o.id::text',
    lane: 'o.lane',
    queuedAt: 'o.queued_at',
    resentAt: 'o.resent_at',
    attempts: 'o.attempts',
    trouble: 'o.trouble',
    customerNumber: `o.payload ->> 'customerNumber'`,
  },
  from: sql`outbox_message o`,
  scope: () => sql<boolean>`o.state = 'failed'`,
})
