import type { AuditContext } from '#server/audit/audit.queries.ts'
import { HttpError } from '#server/http/http-error.ts'
import { listAdministrators, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import { action, pageUrl, paragraph, queueNotice } from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'

/**
 * Tells the administrators that the identity provider wanted to remove the last one of them. The transaction of the change is rolled
 * back, so the mail has one of its own. Providers try again for days: several refusals within an hour are one mail.
 */
export async function notifyOfLastAdministrator(
  services: Pick<Services, 'clock' | 'config' | 'pools'>,
  customerNumber: string,
  error: unknown,
  by: AuditContext,
): Promise<void> {
  if (!(error instanceof HttpError) || error.code !== 'LAST_ADMINISTRATOR') return
  const { brand, origin } = services.config
  await services.pools.access.db.transaction().execute(async (tx) => {
    const { name } = await loadAccount(tx, customerNumber)
    const title = 'Your identity provider cannot remove the last administrator'
    const content = {
      title,
      blocks: [
        paragraph(
          `Your identity provider wanted to remove the last administrator of ${customerNumber} (${name}), or take that role away. The portal has refused it, because nobody could give access afterwards. Add another administrator, and the provider's next attempt succeeds.`,
        ),
        action('Open portal access', pageUrl(origin, '/portalaccess', customerNumber)),
      ],
    }
    const to = await listAdministrators(tx, customerNumber)
    const mail = { customerNumber, to, subject: `${brand.name}: ${title}`, content }
    await queueNotice(tx, services, mail, { person: by.email, kind: 'last administrator' })
  })
}
