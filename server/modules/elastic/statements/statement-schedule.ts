import type { Kysely } from 'kysely'
import type * as operations from '#contract/elastic/statements/mailed-statements.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import {
  isSameSchedule,
  lastPeriod,
  NO_SCHEDULE,
  recipientsError,
  type StatementSchedule,
} from '#domain/elastic/statements/statement-schedule.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import type { DB } from '#server/db/schema.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import { listContacts } from '#server/modules/accounts/accounts.public.ts'
import { lockMailedStatements } from '#server/modules/elastic/statements/mailed-statement.queries.ts'
import {
  findSchedule,
  type ScheduleRow,
  saveSchedule,
} from '#server/modules/elastic/statements/statement-schedule.queries.ts'
import { countSave, type Edited, findRevision } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The scheduled statements were changed by somebody else in the meantime.'

type Get = typeof operations.getStatementSchedule
type Save = typeof operations.saveStatementSchedule

export async function getStatementSchedule({ db, standing }: Call<Get>): Promise<Result<Get>> {
  const { customerNumber } = standing
  const revision = await findRevision(db, editedSchedule(customerNumber))
  const schedule = toSchedule(await findSchedule(db, customerNumber), await contactsOf(db, customerNumber))
  return { data: toWire(schedule, revision) }
}

export async function saveStatementSchedule(call: Call<Save>): Promise<Result<Save>> {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const contacts = await contactsOf(db, customerNumber)
  const wanted = normalized(body.schedule)
  const error = recipientsError(wanted)
  if (error) throw new HttpError(400, error)
  const stranger = wanted.recipients.find((email) => !contacts.has(email))
  if (stranger !== undefined) throw new HttpError(400, `${stranger} is not a contact of this account.`)

  await lockMailedStatements(db, customerNumber)
  const row = await findSchedule(db, customerNumber)
  const current = toSchedule(row, contacts)
  const edited = editedSchedule(customerNumber)
  const before = toWire(current, await findRevision(db, edited))
  if (isSameSchedule(current, wanted)) return { data: before }
  const revision = await countSave(db, edited, body.revision)
  if (revision === undefined) throw new ConflictError(CHANGED_MEANWHILE, { current: before, yours: wanted })
  // The first statement covers the period in which the schedule is switched on.
  const today = dayIn(timeZone, now)
  await saveSchedule(
    db,
    customerNumber,
    {
      weekly_through: wanted.weekly ? (row?.weekly_through ?? lastPeriod('weekly', today).to) : null,
      monthly_through: wanted.monthly ? (row?.monthly_through ?? lastPeriod('monthly', today).to) : null,
      recipients: [...wanted.recipients],
    },
    { email: actor.email, at: now },
  )
  await call.audit({ before: current, after: wanted })
  return { data: toWire(wanted, revision) }
}

/** A former contact gets no statement. */
export function toSchedule(row: ScheduleRow | undefined, contacts: ReadonlySet<string>): StatementSchedule {
  if (!row) return NO_SCHEDULE
  return {
    weekly: row.weekly_through !== null,
    monthly: row.monthly_through !== null,
    recipients: row.recipients.filter((email) => contacts.has(email)),
  }
}

export async function contactsOf(db: Kysely<DB>, customerNumber: string): Promise<ReadonlySet<string>> {
  return new Set((await listContacts(db, customerNumber)).map(({ email }) => email))
}

const normalized = ({ recipients, ...schedule }: StatementSchedule): StatementSchedule => ({
  ...schedule,
  recipients: [...new Set(recipients.map(normalizedEmail))].sort(),
})

const toWire = ({ recipients, ...schedule }: StatementSchedule, revision: number) => ({
  ...schedule,
  recipients: [...recipients],
  revision,
})

const editedSchedule = (customerNumber: string): Edited => ({ customerNumber, subject: 'statement schedule' })
