import { can } from '#domain/access/can.ts'
import { actor } from '#domain/access/standing.ts'
import { formatScopes, isProvisioning } from '#domain/tokens/token-areas.ts'
import { DAY, dueWarning, inDays, WARNING_DAYS } from '#domain/tokens/token-rules.ts'
import { type ApiTokenRow, listEndingApiTokens, noteApiTokenWarning } from '#server/identity/api-tokens.queries.ts'
import { findStandings, listAdministrators } from '#server/modules/accounts/accounts.public.ts'
import { action, facts, type Mail, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'
import { tryEach } from '#server/tasks/try-each.ts'

/**
 * Tells the owners of tokens that end soon, once for each of `WARNING_DAYS`. The warning is noted in the transaction of its
 * mail, so that several processes mail it once.
 */
export async function warnOfExpiry(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = services.clock.now()
  const until = new Date(now.getTime() + Math.max(...WARNING_DAYS) * DAY)
  const options = {
    accountOf: (token: ApiTokenRow) => token.customer_number,
    complaint: 'owners of tokens could not be warned',
    signal,
  }
  await tryEach(await listEndingApiTokens(services.db, { after: now, until }), options, async (token) => {
    const days = dueWarning(
      { created: token.created_at, expires: token.expires_at, warnedDays: token.warned_days },
      now,
    )
    if (days !== undefined) await warn(services, token, days)
  })
}

async function warn(services: Pick<Services, 'clock' | 'config' | 'db'>, token: ApiTokenRow, days: number) {
  await services.db.transaction().execute(async (tx) => {
    if (!(await noteApiTokenWarning(tx, token, days))) return
    const account = (await findStandings(tx, token.owner, [token.customer_number])).get(token.customer_number)
    if (!account) return
    // A token for provisioning goes on without its owner, so all administrators are told.
    const isOfAccount = isProvisioning(token.scopes)
    // An owner who may not open the account any more is not told about it.
    if (!isOfAccount && !can(actor(token.owner, []), 'contacts.read', account.standing).allowed) return
    const to = isOfAccount ? await listAdministrators(tx, token.customer_number) : [token.owner]
    if (to.length > 0)
      await queueMail(tx, services, { ...mailOf(token, account.name, days, services.config), to }, 'no limit')
  })
}

function mailOf(
  token: ApiTokenRow,
  accountName: string,
  days: number,
  { brand, origin }: Services['config'],
): Omit<Mail, 'to'> {
  const { customer_number: customerNumber, name, scopes, expires_at, last_used_at } = token
  const whose = isProvisioning(scopes) ? 'The token for provisioning' : 'Your API token'
  const title = `${whose} "${name}" ends in ${inDays(days)}`
  return {
    customerNumber,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        facts(
          ['Account', `${customerNumber} (${accountName})`],
          ['Token', name],
          ['Scopes', formatScopes(scopes)],
          ['Ends', `${expires_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
          ['Last used', last_used_at ? `${last_used_at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'Never'],
        ),
        paragraph(
          'Programs that use it will be refused after that. Replace it to get a new token: both work for a while.',
        ),
        action('Open API tokens', `${origin}/tokens?customer=${encodeURIComponent(customerNumber)}`),
      ],
    },
  }
}
