import { sql } from 'kysely'
import { mailedStatementList } from '#contract/elastic/statements/mailed-statements.ts'
import { listSource } from '#server/lists/list-source.ts'

/** The mailed statements of one account, without their files. */
export const mailedStatementSource = listSource(mailedStatementList, {
  columns: {
    Id: 's.id',
    Time: 's.mailed_at',
    Kind: 's.kind',
    PeriodStartDate: 's.period_from',
    PeriodEndDate: 's.period_to',
    ActivationId: `nullif(s.activation_id, '')`,
  },
  from: sql`mailed_statement s`,
  scope: ({ customerNumber }: { customerNumber: string }) => sql<boolean>`s.customer_number = ${customerNumber}`,
})
