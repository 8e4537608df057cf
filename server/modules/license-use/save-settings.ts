import { isDeepStrictEqual } from 'node:util'
import type { saveLicenseUseSettings as operation, SavedLicenseUseSettings } from '#contract/license-use/license-use.ts'
import { renameUsers } from '#domain/license-use/logs/log-reader.ts'
import { DEFAULT_WAITING_SETTINGS } from '#domain/license-use/waiting/waiting-rules.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { BusinessRefusal, ConflictError } from '#server/http/http-error.ts'
import { newSecret, pseudonymOf } from '#server/modules/license-use/pseudonyms.ts'
import {
  findSettings,
  listLogStates,
  listUserNames,
  lockReports,
  renameStoredUsers,
  saveLogState,
  saveSettings,
  waitForReports,
} from '#server/modules/license-use/settings.queries.ts'
import { lockSumsOf } from '#server/modules/license-use/use/sums.queries.ts'
import { deleteHolderAsks, lockLines } from '#server/modules/license-use/waiting/waiting.queries.ts'
import { renameUsersInEvents } from '#server/modules/webhooks/webhooks.public.ts'
import { countSave, type Edited, findRevision } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'
import { defineJob } from '#server/tasks/job.ts'

const CHANGED_MEANWHILE = 'The settings of license use were changed by somebody else in the meantime.'

const DEFAULTS = { hasPseudonyms: false, keptDays: 400, ...DEFAULT_WAITING_SETTINGS }

const edited = (customerNumber: string): Edited => ({ customerNumber, subject: 'license use' })

export async function loadSettings(db: Services['db'], customerNumber: string): Promise<SavedLicenseUseSettings> {
  const revision = await findRevision(db, edited(customerNumber))
  const row = await findSettings(db, customerNumber)
  if (!row) return { ...DEFAULTS, revision }
  return {
    hasPseudonyms: row.has_pseudonyms,
    keptDays: row.kept_days,
    offerMinutes: row.offer_minutes,
    askHours: row.ask_hours,
    revision,
  }
}

/** From now on names are stored and shown as pseudonyms; those that are stored are replaced by a job. */
export async function saveLicenseUseSettings(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing } = call
  const { customerNumber } = standing
  const saved = await loadSettings(db, customerNumber)
  const { revision: stored, ...before } = saved
  const after = { ...before, ...body.settings }
  if (body.revision === stored && isDeepStrictEqual(before, after)) return { data: saved }
  const revision = await countSave(db, edited(customerNumber), body.revision)
  if (revision === undefined) {
    const current = await loadSettings(db, customerNumber)
    throw new ConflictError(CHANGED_MEANWHILE, { current, yours: after })
  }
  if (before.hasPseudonyms && !after.hasPseudonyms)
    throw new BusinessRefusal(
      'PSEUDONYMS_STAY',
      'Pseudonyms cannot be turned off: the names that they replaced are gone.',
    )
  const secret = (await findSettings(db, customerNumber))?.pseudonym_secret ?? newSecret()
  await saveSettings(db, customerNumber, { ...after, secret }, { email: actor.email, at: now })
  if (after.hasPseudonyms) await services.jobs.send(db, pseudonymsJob, { customerNumber })
  await call.audit({ before, after })
  return { data: { ...after, revision } }
}

export const pseudonymsJob = defineJob<{ customerNumber: string }>({
  queue: 'license-use-pseudonyms',
  async run({ customerNumber }, { db }) {
    const settings = await findSettings(db, customerNumber)
    if (!settings?.has_pseudonyms) return
    const rename = (user: string) => pseudonymOf(settings.pseudonym_secret, user)
    await waitForReports(db, customerNumber)
    await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      // A report that began before the save still stores names.
      await lockReports(tx, customerNumber)
      await lockSumsOf(tx, customerNumber)
      await lockLines(tx, customerNumber)
      for (const log of await listLogStates(tx, customerNumber))
        await saveLogState(tx, customerNumber, { ...log, state: renameUsers(log.state, rename) })
      const names = await listUserNames(tx, customerNumber)
      if (names.length) await renameStoredUsers(tx, customerNumber, names, names.map(rename))
      await deleteHolderAsks(tx, customerNumber)
      await renameUsersInEvents(tx, customerNumber, 'license_server.denied', rename)
      await renameUsersInEvents(tx, customerNumber, 'seat.free', rename)
    })
  },
})
