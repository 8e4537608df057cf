import { roleRecords } from '#contract/data/roles.ts'
import { normalizedEmail, readEmail } from '#domain/settings/email-address.ts'
import { recordData } from '#server/data/record-data.ts'
import type { Row } from '#server/data/record-table.queries.ts'
import { revokeByDeleting } from '#server/data/revoke-records.ts'
import { refusal } from '#server/http/http-error.ts'

/** The roles of staff, which are on no account. */
export const staffRoleData = recordData(
  {
    kind: roleRecords,
    table: {
      table: 'staff_role',
      key: ['role', 'email'],
      fields: { role: { column: 'role', type: 'text' }, email: { column: 'email', type: 'text' } },
      inserted: {
        grantedBy: { column: 'granted_by', type: 'text' },
        grantedAt: { column: 'granted_at', type: 'timestamptz' },
      },
    },
    read({ role, email: sent }) {
      const email = readEmail(String(sent))
      if (email === undefined) return { refusal: refusal('INVALID_EMAIL', 'email is no email address.') }
      return { row: { role, email } }
    },
    readKey: ({ role, email }) => ({ role, email: normalizedEmail(String(email)) }),
    inserted: ({ audit, now }): Row => ({ granted_by: audit.email, granted_at: now.toISOString() }),
  },
  revokeByDeleting,
)
