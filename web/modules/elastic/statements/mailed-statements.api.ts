import { queryOptions } from '@tanstack/react-query'
import { mailedStatementList } from '#contract/elastic/statements/mailed-statements.ts'
import type { WireRow } from '#contract/kit/list.ts'
import type { StatementKind } from '#domain/elastic/statements/mailed-statement.ts'
import type { StatementSchedule } from '#domain/elastic/statements/statement-schedule.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call, type Data } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

const OPERATIONS = { weekly: 'emailweek', monthly: 'emailmonth' } as const

export type StatementEmail = {
  readonly kind: StatementKind
  readonly customerid: string
  readonly server: string
  readonly activationid: string
  readonly date: string
}

export function emailStatement({ kind, ...body }: StatementEmail, idempotencyKey: string) {
  return call(OPERATIONS[kind], { body, idempotencyKey })
}

export type MailedStatement = WireRow<typeof mailedStatementList.fields>

export const mailedStatementSource = (customerNumber: string) =>
  sourceOf(mailedStatementList, { customerNumber }, { key: ['mailed-statements', customerNumber] })

export type LoadedSchedule = Data<'statements/schedule'>

export const scheduleQuery = (customerNumber: string) =>
  queryOptions({ ...query('statements/schedule', { body: { customerNumber } }), ...FOR_A_FORM })

/** The possible recipients. */
export function contactEmailsQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['contact-emails', customerNumber],
    queryFn: async ({ signal }) => {
      const contacts = await call('getportalaccess', { body: { customerNumber }, signal })
      return contacts.map(({ email }) => email)
    },
  })
}

export function saveSchedule(
  customerNumber: string,
  { recipients, ...schedule }: StatementSchedule,
  revision: number,
  idempotencyKey: string,
) {
  const body = { customerNumber, schedule: { ...schedule, recipients: [...recipients] }, revision }
  return call('statements/schedule/save', { body, idempotencyKey })
}
