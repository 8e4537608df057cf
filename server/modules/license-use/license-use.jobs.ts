import type { Kysely } from 'kysely'
import { hideUsersOfRest } from '#domain/license-use/logs/hidden-users.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { ensureMonths, listUnsummedHosts } from '#server/modules/license-use/logs/log.queries.ts'
import { sumUnsummed } from '#server/modules/license-use/logs/read-log-part.ts'
import { loadUnreadSeal } from '#server/modules/license-use/logs/unread-bytes.seal.ts'
import { loadSecret } from '#server/modules/license-use/pseudonyms.ts'
import { pseudonymsJob } from '#server/modules/license-use/save-settings.ts'
import {
  deleteEventsBefore,
  deletePartsBefore,
  listReportingAccounts,
  listRests,
  replaceRest,
} from '#server/modules/license-use/settings.queries.ts'
import { logUploadTask } from '#server/modules/license-use/uploads/upload-log.ts'
import { deleteUploadsBefore } from '#server/modules/license-use/uploads/uploads.queries.ts'
import { sumsJob } from '#server/modules/license-use/use/sum-times.ts'
import { lockSumsOf } from '#server/modules/license-use/use/sums.queries.ts'
import { deleteClosedBefore } from '#server/modules/license-use/waiting/waiting.queries.ts'
import { linesJob } from '#server/modules/license-use/waiting/waiting.routes.ts'
import { defineJob, type Job } from '#server/tasks/job.ts'
import type { AnyTaskKind } from '#server/tasks/task-kind.ts'
import { tryEach } from '#server/tasks/try-each.ts'

const DAY = 24 * 60 * 60_000
const PARTS_KEPT = 7 * DAY
/** Who has left a line for seats. */
const PLACES_KEPT = 30 * DAY
const UPLOADS_KEPT = 2 * DAY
/** An unfinished last line may name a user of an account with pseudonyms, until it is read or the log has not grown for so long. */
const RESTS_KEPT = 2 * DAY

/** This month and the next, so that a report rarely has to make its own. */
export function monthsAround(now: Date): string[] {
  return [0, 1].map((offset) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10),
  )
}

const partitionsJob = defineJob({
  queue: 'license-use-partitions',
  cron: '43 2 * * *',
  async atStart({ clock, db }) {
    await ensureMonths(db, monthsAround(clock.now()))
  },
  async run(_data, { clock, db }) {
    await ensureMonths(db, monthsAround(clock.now()))
  },
})

const oldEventsJob = defineJob({
  queue: 'license-use-old-events',
  cron: '19 3 * * *',
  async run(_data, { clock, db, secrets }, { signal }) {
    const complaint = 'old reports of license servers could not be removed'
    await tryEach(
      await listReportingAccounts(db),
      { accountOf: ({ customerNumber }) => customerNumber, complaint, signal },
      (account) => removeOld(db, secrets, account, clock.now()),
    )
  },
})

type KeptEvents = Awaited<ReturnType<typeof listReportingAccounts>>[number]

/** Sums stay: only single events are removed. Sums that an upload has left, which never went on, are made before. */
async function removeOld(
  db: Kysely<DB>,
  secrets: InstallationSecrets,
  { customerNumber, keptDays }: KeptEvents,
  now: Date,
): Promise<void> {
  const before = (age: number) => new Date(now.getTime() - age)
  await deletePartsBefore(db, customerNumber, before(PARTS_KEPT))
  await deleteUploadsBefore(db, customerNumber, before(UPLOADS_KEPT))
  await deleteClosedBefore(db, customerNumber, before(PLACES_KEPT))
  if (await loadSecret(db, customerNumber)) {
    const { seal, open } = await loadUnreadSeal(db, secrets, customerNumber)
    for (const log of await listRests(db, customerNumber, before(RESTS_KEPT)))
      await replaceRest(db, customerNumber, log, seal(Buffer.from(hideUsersOfRest(open(log.rest).toString()))))
  }
  for (const hostId of await listUnsummedHosts(db, customerNumber, before(UPLOADS_KEPT)))
    await sumUnsummed(db, { customerNumber, hostId }, now)
  await db.transaction().execute(async (tx) => {
    await allowLongWork(tx)
    await lockSumsOf(tx, customerNumber)
    const removed = await deleteEventsBefore(tx, customerNumber, before(keptDays * DAY))
    const entry = { action: 'license-use.remove-old', customerNumber, after: { removed, days: keptDays } } as const
    if (removed > 0) await writeAudit(tx, contextOfPortal(now), entry)
  })
}

export const licenseUseJobs: readonly Job<never>[] = [partitionsJob, oldEventsJob, pseudonymsJob, sumsJob, linesJob]
export const licenseUseTasks: readonly AnyTaskKind[] = [logUploadTask]
