import { generateSteps } from '#domain/activations/plans/plan.ts'
import { listServers } from '#server/modules/activations/hosts/list-servers.ts'
import { readMachine, requireHost, toHostIdentity, toNamedHost } from '#server/modules/activations/hosts/named-host.ts'
import {
  type DraftCall,
  loadOwnCustomer,
  loadPlanCustomers,
  type PlanDraft,
} from '#server/modules/activations/plans/plan-draft.ts'

/** New license files for all hosts of the account whose file is out of date. No seats move. */
export async function draftRegeneration(call: DraftCall): Promise<PlanDraft> {
  const { db, standing } = call
  const { customerNumber } = standing
  const own = await loadOwnCustomer(call)
  const servers = (await listServers(db, customerNumber, own.today)).filter(({ isOutOfDate }) => isOutOfDate)
  const hosts = []
  for (const { id, type } of servers) {
    const row = await requireHost(db, customerNumber, readMachine(id, type))
    const named = toNamedHost(row)
    const { customers } = await loadPlanCustomers(call, named)
    hosts.push({ host: toHostIdentity(row), file: { named, customers, isBorrowable: row.is_borrowable, changes: [] } })
  }
  const customers = hosts.flatMap(({ file }) => file.customers.map((one) => one.customerNumber))
  return {
    action: 'REGENERATE',
    request: { source: null, target: null, customers: [...new Set([customerNumber, ...customers])] },
    changes: [],
    steps: hosts.flatMap(({ host, file }) => generateSteps(host, file.customers)),
    machines: hosts.map(({ file }) => ({ customerNumber, machine: file.named })),
    reserved: [],
    becomesInactive: false,
    mayOverrideMaintenance: false,
    files: hosts.map(({ file }) => file),
  }
}
