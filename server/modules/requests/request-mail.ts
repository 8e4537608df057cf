import type { Transaction } from 'kysely'
import { licenseServerPath } from '#domain/activations/hosts/host.ts'
import type { DB } from '#server/db/schema.ts'
import { listAdministrators, loadAccount } from '#server/modules/accounts/accounts.public.ts'
import {
  action,
  facts,
  type Mail,
  type MailFact,
  pageUrl,
  paragraph,
  queueMail,
  queueNotice,
} from '#server/modules/messages/messages.public.ts'
import { textOf } from '#server/modules/requests/request-facts.ts'
import type { RequestRow } from '#server/modules/requests/requests.queries.ts'
import type { Services } from '#server/services.ts'

type Parts = Pick<Services, 'clock' | 'config'>

const NEWS = {
  asked: {
    title: (by: string, what: string) => `${by} asks for ${what}`,
    text: 'Approve it, change it before you approve it, or decline it with a reason.',
  },
  withdrawn: {
    title: (by: string, what: string) => `${by} no longer asks for ${what}`,
    text: 'The request was withdrawn. You need not decide on it.',
  },
  'approved by rule': {
    title: (by: string, what: string) => `A rule has approved ${what}, which ${by} asked for`,
    text: 'It is done already. You can change the rules on the page of the requests.',
  },
} as const

/** Tells the administrators of the account. Many requests of one person within an hour become one mail. */
export async function mailAdministrators(
  tx: Transaction<DB>,
  services: Parts,
  request: RequestRow,
  news: keyof typeof NEWS,
): Promise<void> {
  const to = await listAdministrators(tx, request.customer_number)
  if (to.length === 0) return
  const { requested_by, decided_by } = request
  const { title, text } = NEWS[news]
  const mail = await mailOf(tx, services, request, {
    to,
    title: title(requested_by, textOf(request)),
    paragraphs: [text],
    more: [
      ...(news === 'asked' ? ([['Expires', request.expires_at.toISOString().slice(0, 10)]] as const) : []),
      ...(news === 'approved by rule' && decided_by !== null
        ? ([['Decided by', `a rule of ${decided_by}`]] as const)
        : []),
    ],
  })
  await queueNotice(tx, services, mail, { person: requested_by, kind: `request ${news}` })
}

const OUTCOMES = {
  approved: 'is approved',
  declined: 'is declined',
  expired: 'has expired without a decision',
} as const

/** Tells the person what became of their request. */
export async function mailRequester(
  tx: Transaction<DB>,
  services: Parts,
  request: RequestRow & { readonly state: keyof typeof OUTCOMES },
): Promise<void> {
  const { state, decided_by, decision, is_by_rule } = request
  const granted = grantedText(request)
  const mail = await mailOf(tx, services, request, {
    to: [request.requested_by],
    title: `Your request for ${textOf(request)} ${OUTCOMES[state]}`,
    paragraphs: state === 'expired' ? ['Ask again if you still need it.'] : [],
    more: [
      ...(decided_by !== null && state !== 'expired'
        ? ([['Decided by', is_by_rule ? `a rule of ${decided_by}` : decided_by]] as const)
        : []),
      ...(granted === undefined ? [] : ([['Approved', granted]] as const)),
      ...(decision ? ([['Reason', decision]] as const) : []),
    ],
  })
  await queueMail(tx, services, mail, 'no limit')
}

type Content = {
  readonly to: readonly string[]
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly more: readonly MailFact[]
}

async function mailOf(
  tx: Transaction<DB>,
  { config }: Parts,
  { customer_number, kind, product, quantity, target, target_name, reason, requested_by }: RequestRow,
  { to, title, paragraphs, more }: Content,
): Promise<Mail> {
  const { name } = await loadAccount(tx, customer_number)
  const { brand, origin } = config
  return {
    customerNumber: customer_number,
    to,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        ...paragraphs.map(paragraph),
        facts(
          ['Account', `${customer_number} (${name})`],
          ['Requested by', requested_by],
          ['Product', product],
          ['Quantity', String(quantity)],
          kind === 'seats'
            ? ['For', target_name, pageUrl(origin, licenseServerPath(target), customer_number)]
            : ['For', target_name],
          ...(reason === '' ? [] : [['Why', reason] as const]),
          ...more,
        ),
        action('Open requests', pageUrl(origin, '/requests', customer_number)),
      ],
    },
  }
}

/** What was approved, if it is not what was asked for. */
function grantedText({ granted_quantity, granted_product, granted_target_name, ...request }: RequestRow) {
  const { quantity, product, target_name } = request
  if (granted_product !== null || granted_target_name !== null)
    return textOf({
      ...request,
      product: granted_product ?? product,
      quantity: granted_quantity ?? quantity,
      target_name: granted_target_name ?? target_name,
    })
  return granted_quantity === null || granted_quantity === quantity
    ? undefined
    : `${granted_quantity} instead of ${quantity}`
}
