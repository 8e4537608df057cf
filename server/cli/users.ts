import { isStaffRole, STAFF_ROLES, type StaffRole } from '#domain/access/roles.ts'
import { readEmail } from '#domain/settings/email-address.ts'
import { type Command, type Context, UsageError } from '#server/cli/command.ts'
import { grantStaffRole, revokeStaffRole, staffRoles } from '#server/cli/users.queries.ts'

const ARGUMENTS = `<email> <${STAFF_ROLES.join('|')}>`

export const usersGrant: Command = {
  name: 'users grant',
  usage: ARGUMENTS,
  summary: 'Give a person a staff role',
  async run(args, context) {
    const { email, role } = personAndRole(args)
    const changed = await grantStaffRole(context.installation.db, email, role, context.now)
    context.say(changed ? `${email} is now ${role}` : `${email} was ${role} already`)
  },
}

export const usersRevoke: Command = {
  name: 'users revoke',
  usage: ARGUMENTS,
  summary: 'Take a staff role from a person',
  async run(args, context) {
    const { email, role } = personAndRole(args)
    const changed = await revokeStaffRole(context.installation.db, email, role, context.now)
    context.say(changed ? `${email} is no longer ${role}` : `${email} was not ${role}`)
  },
}

export const usersList: Command = {
  name: 'users list',
  usage: '',
  summary: 'Show who has staff roles',
  async run(args, context: Context) {
    if (args.length) throw new UsageError('users list takes no arguments')
    for (const { email, roles } of await staffRoles(context.installation.db))
      context.say(`${email}  ${roles.join(', ')}`)
  },
}

function personAndRole(args: readonly string[]): { email: string; role: StaffRole } {
  const [address = '', role = '', ...more] = args
  if (more.length) throw new UsageError(`Unexpected: ${more.join(' ')}`)
  const email = readEmail(address)
  if (email === undefined) throw new UsageError(`"${address}" is not an e-mail address`)
  if (!isStaffRole(role)) throw new UsageError(`"${role}" is not a staff role: ${STAFF_ROLES.join(', ')}`)
  return { email, role }
}
