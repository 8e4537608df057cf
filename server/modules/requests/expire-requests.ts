import { stateAt } from '#domain/requests/request.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { contextOfPortal } from '#server/identity/principal.ts'
import { requestFacts } from '#server/modules/requests/request-facts.ts'
import { mailRequester } from '#server/modules/requests/request-mail.ts'
import { closeRequest, listOverdue, lockRequest } from '#server/modules/requests/requests.queries.ts'
import type { Services } from '#server/services.ts'
import { tryEach } from '#server/tasks/try-each.ts'

/** Marks requests that nobody has decided in time as expired, and tells those who asked. They are kept. */
export async function expireRequests(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = services.clock.now()
  const options = {
    accountOf: ({ customer_number }: { customer_number: string }) => customer_number,
    complaint: 'requests could not be marked as expired',
    signal,
  }
  await tryEach(await listOverdue(services.db, now), options, ({ customer_number, request_id }) =>
    services.db.transaction().execute(async (tx) => {
      const request = await lockRequest(tx, customer_number, request_id)
      // Somebody may have decided since the list was read.
      if (request?.state !== 'open' || stateAt({ state: 'open', expiresAt: request.expires_at }, now) !== 'expired')
        return
      const expired = await closeRequest(tx, request, { state: 'expired', decided_at: now })
      await mailRequester(tx, services, { ...expired, state: 'expired' })
      await writeAudit(tx, contextOfPortal(now), {
        action: 'request.expire',
        customerNumber: customer_number,
        target: request_id,
        after: requestFacts(request),
      })
    }),
  )
}
