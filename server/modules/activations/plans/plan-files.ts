import { Readable } from 'node:stream'
import { type getPlanFiles as operation, planFilesName } from '#contract/activations/plans/host-plans.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { toMembers } from '#server/modules/activations/hosts/group-members.ts'
import { findHost } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine } from '#server/modules/activations/hosts/named-host.ts'
import { findVisibleLastFile, NO_FILE } from '#server/modules/activations/license-files/read-license-files.ts'
import { createZip, type ZippedFile } from '#server/modules/activations/license-files/zip.ts'
import { listGenerated, listPlanRows } from '#server/modules/activations/plans/host-plans.queries.ts'
import { type Call, SentFile } from '#server/operations/route.ts'

/** The newest license file of each host of the plan. A shared file is in it once. */
export async function getPlanFiles(call: Call<typeof operation>): Promise<SentFile> {
  const { actor, body, db, now, standing } = call
  const { customerNumber } = standing
  const [plan] = await listPlanRows(db, customerNumber, body.id)
  if (!plan) throw new HttpError(404, 'There is no such plan')
  const steps = await listGenerated(db, { customerNumber, id: body.id })
  const members = await toMembers(db, actor, [...new Set(steps.map((step) => step.customerNumber))])
  const readable = new Set(members.filter(({ isReadable }) => isReadable).map((one) => one.customerNumber))
  const files: ZippedFile[] = []
  for (const sameHost of Map.groupBy(steps, ({ host }) => host.serverId).values()) {
    const seen = sameHost.filter((step) => readable.has(step.customerNumber))
    const step = seen.find((one) => one.customerNumber === customerNumber) ?? seen[0]
    if (!step) continue
    const { serverId, serverIdType } = step.host
    const host = await findHost(db, step.customerNumber, readMachine(serverId, serverIdType))
    const found = host && (await findVisibleLastFile(db, actor, host))
    if (found) files.push({ name: found.file.licenseFileName, content: Buffer.from(found.text) })
  }
  if (files.length === 0) throw new BusinessRefusal('NO_LICENSE_FILE', NO_FILE)
  const name = planFilesName(customerNumber)
  const bytes = createZip(files, now)
  await call.audit({ target: name, after: { id: body.id, files: files.map((file) => file.name) } })
  return new SentFile(name, Readable.from([bytes]), bytes.length, 'application/zip')
}
