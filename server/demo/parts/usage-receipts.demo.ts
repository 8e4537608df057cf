import { sql } from 'kysely'
import type { DemoPart } from '#server/demo/demo-part.ts'

/** The demo usage is booked in bulk. With its receipts it is not booked again when its own export is imported. */
export const usageReceipts: DemoPart = {
  name: 'usage receipts',
  async load(tx) {
    await sql`
      insert into usage_receipt (customer_number, id)
      select distinct customer_number, session_id from usage_transaction where ends_at < 'infinity' order by 1, 2
          on conflict do nothing`.execute(tx)
  },
}
