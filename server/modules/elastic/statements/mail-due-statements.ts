import { STATEMENT_KINDS, type StatementKind } from '#domain/elastic/statements/mailed-statement.ts'
import { duePeriod } from '#domain/elastic/statements/statement-schedule.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { freezeStatement } from '#server/modules/elastic/statements/freeze-statement.ts'
import { lockMailedStatements } from '#server/modules/elastic/statements/mailed-statement.queries.ts'
import { queueStatement } from '#server/modules/elastic/statements/statement-mail.ts'
import {
  type ActiveSchedule,
  listActiveSchedules,
  saveHandledThrough,
} from '#server/modules/elastic/statements/statement-schedule.queries.ts'
import { contactsOf, toSchedule } from '#server/modules/elastic/statements/statement-schedule.ts'
import type { Services } from '#server/services.ts'
import { tryEach } from '#server/tasks/try-each.ts'

/** The `mailed_by` of a scheduled statement. */
const SCHEDULE = 'schedule'

type Parts = Pick<Services, 'db' | 'clock' | 'config' | 'makePdf' | 'loadLetterhead'>

/** Mails the scheduled statements that are due. */
export async function mailDueStatements(services: Parts): Promise<void> {
  const schedules = await listActiveSchedules(services.db)
  const due = schedules.flatMap((schedule) =>
    STATEMENT_KINDS.filter((kind) => findDue(schedule, kind, services.clock.now())).map((kind) => ({
      customerNumber: schedule.customerNumber,
      kind,
    })),
  )
  await tryEach(
    due,
    { accountOf: ({ customerNumber }) => customerNumber, complaint: 'scheduled statements could not be mailed' },
    ({ customerNumber, kind }) => mailDueStatement(services, customerNumber, kind),
  )
}

const findDue = (schedule: ActiveSchedule, kind: StatementKind, now: Date) =>
  duePeriod(kind, kind === 'weekly' ? schedule.weekly_through : schedule.monthly_through, { ...schedule, now })

/**
 * Freezing the statement, queuing its mail and noting that the period is done are one transaction, and the lock of the account
 * makes a second server find it done: each period is mailed exactly once.
 */
function mailDueStatement(services: Parts, customerNumber: string, kind: StatementKind): Promise<void> {
  const at = services.clock.now()
  return services.db.transaction().execute(async (tx) => {
    await lockMailedStatements(tx, customerNumber)
    const [schedule] = await listActiveSchedules(tx, customerNumber)
    const period = schedule && findDue(schedule, kind, at)
    if (!period) return
    const { recipients } = toSchedule(schedule, await contactsOf(tx, customerNumber))
    const key = { customerNumber, kind, period, activationId: '' }
    if (recipients.length > 0) {
      const frozen = await freezeStatement(tx, services, key, { at, by: SCHEDULE }).catch((error: unknown) => {
        // `freezeStatement` throws NO_ACTIVE_ENTITLEMENTS before anything is written.
        if (error instanceof BusinessRefusal && error.code === 'NO_ACTIVE_ENTITLEMENTS') return undefined
        throw error
      })
      if (frozen) {
        const mail = await queueStatement(tx, services, frozen, key, recipients)
        await writeAudit(tx, contextOfPortal(at), {
          action: kind === 'weekly' ? 'emailweek' : 'emailmonth',
          customerNumber,
          target: frozen.file.file_name,
          after: { ...period, recipients, mail },
        })
      }
    }
    await saveHandledThrough(tx, customerNumber, kind, period.to)
  })
}
