import { accountRecords } from '#contract/data/accounts.ts'
import { isTimeZone } from '#domain/calendar/calendar-day.ts'
import { readEmail } from '#domain/settings/email-address.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByChange } from '#server/data/revoke-records.ts'
import { refusal } from '#server/http/http-error.ts'

export const accountData = recordData(
  {
    kind: accountRecords,
    table: {
      table: 'account',
      key: accountRecords.key,
      fields: {
        customerNumber: { column: 'customer_number', type: 'text' },
        name: { column: 'name', type: 'text' },
        orgType: { column: 'org_type', type: 'text' },
        exportControlStatus: { column: 'export_control_status', type: 'text' },
        isAccessDisabled: { column: 'is_access_disabled', type: 'boolean' },
        supportEmail: { column: 'support_email', type: 'text' },
        timeZone: { column: 'time_zone', type: 'text' },
      },
    },
    read: readAccount,
  },
  (tx, ids, context, rules) => revokeByChange(tx, ids, context, rules, () => ({ isAccessDisabled: true })),
)

function readAccount(row: Row) {
  const { timeZone, supportEmail } = row
  if (typeof timeZone === 'string' && !isTimeZone(timeZone))
    return {
      refusal: refusal('INVALID_RECORD', `timeZone is no IANA name of a time zone, for example "Europe/Berlin".`),
    }
  if (typeof supportEmail !== 'string' || supportEmail === '') return { row }
  const email = readEmail(supportEmail)
  if (email === undefined) return { refusal: refusal('INVALID_EMAIL', 'supportEmail is no email address.') }
  return { row: { ...row, supportEmail: email } }
}
