import type { LicenseUseSettings, saveLicenseUseSettings as operation } from '#contract/license-use/license-use.ts'
import { renameUsers } from '#domain/license-use/log-reader.ts'
import { allowLongWork } from '#server/db/time-limit.ts'
import { newSecret, pseudonymOf } from '#server/modules/license-use/pseudonyms.ts'
import {
  findSettings,
  listLogStates,
  listUserNames,
  renameStoredUsers,
  saveLogState,
  saveSettings,
} from '#server/modules/license-use/settings.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'
import { defineJob } from '#server/tasks/job.ts'

const DEFAULTS: LicenseUseSettings = { hasPseudonyms: false, keptDays: 400 }

export async function loadSettings(db: Services['db'], customerNumber: string): Promise<LicenseUseSettings> {
  const row = await findSettings(db, customerNumber)
  return row ? { hasPseudonyms: row.has_pseudonyms, keptDays: row.kept_days } : DEFAULTS
}

/** From now on names are stored and shown as pseudonyms; those that are stored are replaced by a job. */
export async function saveLicenseUseSettings(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, services, standing } = call
  const { customerNumber } = standing
  const before = await loadSettings(db, customerNumber)
  const secret = (await findSettings(db, customerNumber))?.pseudonym_secret ?? newSecret()
  await saveSettings(db, customerNumber, { ...body.settings, secret }, { email: actor.email, at: now })
  if (body.settings.hasPseudonyms) await services.jobs.send(db, pseudonymsJob, { customerNumber })
  await call.audit({ before, after: body.settings })
  return { data: body.settings }
}

export const pseudonymsJob = defineJob<{ customerNumber: string }>({
  queue: 'license-use-pseudonyms',
  async run({ customerNumber }, { db }) {
    const settings = await findSettings(db, customerNumber)
    if (!settings?.has_pseudonyms) return
    const rename = (user: string) => pseudonymOf(settings.pseudonym_secret, user)
    await db.transaction().execute(async (tx) => {
      await allowLongWork(tx)
      for (const log of await listLogStates(tx, customerNumber))
        await saveLogState(tx, customerNumber, { ...log, state: renameUsers(log.state, rename) })
      const names = await listUserNames(tx, customerNumber)
      if (names.length) await renameStoredUsers(tx, customerNumber, names, names.map(rename))
    })
  },
})
