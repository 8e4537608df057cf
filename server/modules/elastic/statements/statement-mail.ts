import type { Transaction } from 'kysely'
import { partsByCurrency } from '#domain/elastic/statements/statement.ts'
import { formatDecimal, sum } from '#domain/money/decimal.ts'
import type { DB } from '#server/db/schema.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import type { FrozenStatement } from '#server/modules/elastic/statements/freeze-statement.ts'
import type { StatementKey } from '#server/modules/elastic/statements/mailed-statement.queries.ts'
import { action, facts, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import type { Services } from '#server/services.ts'

const TITLES = { weekly: 'Weekly Statement', monthly: 'Monthly Statement' } as const

/** Queues a frozen statement for some people, with its file. Part of the transaction that freezes it. */
export async function queueStatement(
  tx: Transaction<DB>,
  services: Pick<Services, 'config' | 'clock'>,
  { statement, file }: FrozenStatement,
  { customerNumber, kind, period, activationId }: StatementKey,
  to: readonly string[],
  /** The person who requests the statement; undefined if it is scheduled. */
  person?: string,
): Promise<string> {
  const { brand, origin } = services.config
  const { name } = await loadAccount(tx, customerNumber)
  const mail = {
    customerNumber,
    to,
    subject: `${brand.name}: ${TITLES[kind]} of ${customerNumber} (${name}), ${period.from} to ${period.to}`,
    content: {
      title: TITLES[kind],
      blocks: [
        paragraph('The elastic statement is attached as a PDF file. It will not change.'),
        facts(
          ['Account ID (Account Name)', `${customerNumber} (${name})`],
          ['Entitlement', activationId || 'All elastic entitlements'],
          ['Period Start Date', period.from],
          ['Period End Date', period.to],
          ...balances(statement),
        ),
        action('Open the portal', `${origin}/statementv2?customer=${encodeURIComponent(customerNumber)}`),
      ],
    },
    attachments: [{ name: file.file_name, mediaType: 'application/pdf', content: file.pdf }],
  }
  return queueMail(tx, services, mail, person === undefined ? 'no limit' : { person, kind: `${kind} statement` })
}

function balances(statement: FrozenStatement['statement']): [label: string, value: string][] {
  return partsByCurrency(statement).flatMap(({ currency, balanceBefore, used, balanceAfter }) => {
    const own = statement.records.filter((record) => record.currency === currency)
    const units = (value: string) => `${formatDecimal(value, 2)} ${currency}`
    return [
      ['Balance Before Start', units(balanceBefore)],
      ['Used', units(used)],
      ['Balance At End', units(balanceAfter)],
      ['Late usage', units(sum(own.map(({ broughtForward }) => broughtForward?.late ?? 0)))],
    ]
  })
}
