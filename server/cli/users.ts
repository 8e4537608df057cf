import { isStaffRole, STAFF_ROLES, type StaffRole } from '#domain/access/roles.ts'
import { emailError, normalizedEmail } from '#domain/settings/email-address.ts'
import { type Command, readArguments, UsageError } from '#server/cli/command.ts'
import { grantStaffRole, listStaffRoles, revokeStaffRole } from '#server/modules/staff/staff.public.ts'

const ARGUMENTS = `<email> <${STAFF_ROLES.join('|')}>`

export const usersGrant: Command = {
  name: 'users grant',
  usage: ARGUMENTS,
  summary: 'Give a person a staff role',
  async run(words, { installation, audit, say }) {
    const { email, role } = personAndRole(words)
    const changed = await grantStaffRole(installation.db, { email, role }, audit)
    say(changed ? `${email} is now ${role}` : `${email} was ${role} already`)
  },
}

export const usersRevoke: Command = {
  name: 'users revoke',
  usage: ARGUMENTS,
  summary: 'Take a staff role from a person',
  async run(words, { installation, audit, say }) {
    const { email, role } = personAndRole(words)
    const changed = await revokeStaffRole(installation.db, { email, role }, audit)
    say(changed ? `${email} is no longer ${role}` : `${email} was not ${role}`)
  },
}

export const usersList: Command = {
  name: 'users list',
  usage: '',
  summary: 'Show who has staff roles',
  async run(words, { installation, say }) {
    readArguments(words, [], {})
    for (const { email, roles } of await listStaffRoles(installation.db)) say(`${email}  ${roles.join(', ')}`)
  },
}

function personAndRole(words: readonly string[]): { email: string; role: StaffRole } {
  const { email: address, role } = readArguments(words, ['email', 'role'], {})
  // Staff may have an address of any domain.
  if (emailError(address, { has: () => false })) throw new UsageError(`"${address}" is not an email address`)
  if (!isStaffRole(role)) throw new UsageError(`"${role}" is not a staff role: ${STAFF_ROLES.join(', ')}`)
  return { email: normalizedEmail(address), role }
}
