import { contextOfPortal } from '#server/identity/principal.ts'
import { applyAccess } from '#server/modules/provisioning/access/apply-access.ts'
import { listAccountsHoldingBack } from '#server/modules/provisioning/access/people.queries.ts'
import type { Services } from '#server/services.ts'
import { ofAccounts, tryEach } from '#server/tasks/try-each.ts'

/** Puts people into web groups who were held back until a seat is free. */
export async function applyHeldBack(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  signal?: AbortSignal,
): Promise<void> {
  const options = { ...ofAccounts, complaint: 'people could not be put into their web groups', signal }
  await tryEach(await listAccountsHoldingBack(services.db), options, async (customerNumber) => {
    const by = contextOfPortal(services.clock.now())
    await services.db.transaction().execute((tx) => applyAccess(tx, services, { customerNumber }, by))
  })
}
