import type { setAccountSwitches as operation } from '#contract/settings/portal-access-switches.ts'
import { readSwitches, sameSwitches } from '#domain/settings/account-switches.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import { disableAccess, grantTo, loadSwitches, lockAccount } from '#server/modules/accounts/accounts.public.ts'
import { freeMailDomains } from '#server/modules/settings/free-mail-domains.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The access settings of this account were changed by somebody else in the meantime.'

export async function setAccountSwitches(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const read = readSwitches(body.newSwitches, freeMailDomains)
  if ('error' in read) throw new HttpError(400, read.error)
  const wanted = read.switches
  await lockAccount(db, customerNumber)
  const current = await loadSwitches(db, customerNumber)
  if (sameSwitches(current, wanted)) return { data: current }
  if (!sameSwitches(current, body.oldSwitches)) throw new ConflictError(CHANGED_MEANWHILE, { current, yours: wanted })

  const by = { email: actor.email, at: now }
  await disableAccess(db, customerNumber, wanted.isAccessDisabled)
  await grantTo(db, { customerNumber, kind: 'sales-access' }, wanted.salesAccess, by)
  await grantTo(db, { customerNumber, kind: 'fnp-license-generator' }, wanted.fnpLicenseGenerators, by)
  await call.audit({ before: current, after: wanted })
  return { data: wanted }
}
