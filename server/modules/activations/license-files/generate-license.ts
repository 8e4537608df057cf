import type { generateLicense as operation } from '#contract/activations/license-files/license-files.ts'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { loadGroup, requireHost } from '#server/modules/activations/hosts/group-members.ts'
import { saveBorrowable } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readHost } from '#server/modules/activations/hosts/named-host.ts'
import { keepLicenseFile } from '#server/modules/activations/license-files/keep-license-file.ts'
import { toVisibleFile } from '#server/modules/activations/license-files/license-file.mapping.ts'
import { loadSigner } from '#server/modules/activations/license-files/signing-keys.ts'
import { authorOf } from '#server/modules/activations/step-author.ts'
import type { Call, Result } from '#server/operations/route.ts'

/** Customers that the caller does not manage, or that export compliance denies, have no part in the file. */
export async function generateLicense(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, now, standing, timeZone } = call
  const { customerNumber } = standing
  const machine = readHost(body)
  const known = await requireHost(db, customerNumber, machine)
  const host = { ...known, is_borrowable: body.ansysborrowed ?? known.is_borrowable }
  if (host.is_borrowable !== known.is_borrowable) await saveBorrowable(db, host, host.is_borrowable)

  const group = await loadGroup(db, actor, customerNumber, machine)
  const others = group.filter((one) => one.customerNumber !== customerNumber && one.isManaged && one.isApproved)
  const customers = [
    { customerNumber, today: dayIn(timeZone, now) },
    ...others.map((one) => ({ customerNumber: one.customerNumber, today: dayIn(one.account.timeZone, now) })),
  ]
  const { row, textByDaemon } = await keepLicenseFile(
    authorOf(call),
    { host, customers, group: group.map((one) => one.customerNumber) },
    await loadSigner(db, now),
  )
  const { file } = toVisibleFile(row, actor, new Map(group.map((one) => [one.customerNumber, one.account])))
  return { data: file, licenseText: textByDaemon, licenseFileName: file.licenseFileName }
}
