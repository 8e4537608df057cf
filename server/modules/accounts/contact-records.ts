import type { Transaction } from 'kysely'
import { contactRecords } from '#contract/data/contacts.ts'
import { roleRecords } from '#contract/data/roles.ts'
import { normalizedEmail, readEmail } from '#domain/settings/email-address.ts'
import type { SaveContext } from '#server/data/data-kind.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByDeleting } from '#server/data/revoke-records.ts'
import type { Change, RecordRules } from '#server/data/save-records.ts'
import type { DB } from '#server/db/schema.ts'
import { refusal } from '#server/http/http-error.ts'
import { lockKnownAccounts } from '#server/modules/accounts/known-accounts.queries.ts'
import { writeEventsOfAccounts } from '#server/modules/webhooks/webhooks.public.ts'

/** Contacts and rights of an account are changed by one writer at a time. */
const ofAccount: Pick<RecordRules, 'read' | 'readKey' | 'lock' | 'prepare'> = {
  read(row) {
    const email = readEmail(String(row.email))
    if (email === undefined) return { refusal: refusal('INVALID_EMAIL', 'email is no email address.') }
    return { row: { ...row, email } }
  },
  readKey: (key) => ({ ...key, email: normalizedEmail(String(key.email)) }),
  async lock(tx, keys) {
    await lockKnownAccounts(tx, keys)
  },
  prepare: async (tx, rows) => ({ refusals: await lockKnownAccounts(tx, rows) }),
}

export const contactData = recordData(
  {
    ...ofAccount,
    kind: contactRecords,
    table: {
      table: 'contact',
      key: contactRecords.key,
      fields: {
        customerNumber: { column: 'customer_number', type: 'text' },
        email: { column: 'email', type: 'text' },
        role: { column: 'role', type: 'text' },
      },
      inserted: {
        addedAt: { column: 'added_at', type: 'timestamptz' },
        addedBy: { column: 'added_by', type: 'text' },
      },
    },
    inserted: ({ audit, now }): Row => ({ added_at: now.toISOString(), added_by: audit.email }),
    after: notifyOfContacts,
  },
  revokeByDeleting,
)

/** Tells webhooks who was added and removed. */
async function notifyOfContacts(
  tx: Transaction<DB>,
  written: readonly Change[],
  { audit, now }: SaveContext,
): Promise<void> {
  const changes = written
    .filter(({ before, after }) => isEmpty(before) || isEmpty(after))
    .map(({ before, after }) => ({ isAdded: isEmpty(before), row: { ...before, ...after } }))
  const byCustomer = Map.groupBy(changes, ({ row }) => String(row.customerNumber))
  await writeEventsOfAccounts(tx, [...byCustomer.keys()], now, (customerNumber) =>
    (byCustomer.get(customerNumber) ?? []).map(({ isAdded, row }) => ({
      type: isAdded ? 'contact.added' : 'contact.removed',
      data: { email: String(row.email), role: String(row.role), by: audit.email },
    })),
  )
}

const isEmpty = (row: Row) => Object.keys(row).length === 0

/** The roles of people on one account. */
export const grantData = recordData(
  {
    ...ofAccount,
    kind: roleRecords,
    table: {
      table: 'account_grant',
      key: roleRecords.key,
      fields: {
        role: { column: 'kind', type: 'text' },
        customerNumber: { column: 'customer_number', type: 'text' },
        email: { column: 'email', type: 'text' },
      },
      inserted: {
        grantedBy: { column: 'granted_by', type: 'text' },
        grantedAt: { column: 'granted_at', type: 'timestamptz' },
      },
    },
    inserted: ({ audit, now }): Row => ({ granted_by: audit.email, granted_at: now.toISOString() }),
  },
  revokeByDeleting,
)
