import { isServiceScope, SERVICE_SCOPES, type ServiceScope } from '#domain/access/roles.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { writeAudit } from '#server/audit/audit.queries.ts'
import { type Command, readArguments, UsageError } from '#server/cli/command.ts'
import {
  insertServiceKey,
  listServiceKeys,
  revokeServiceKey,
  type ServiceKeyRow,
} from '#server/identity/service-keys.queries.ts'
import { createServiceKey } from '#server/identity/service-keys.ts'

const DEFAULT_DAYS = 365
const MAX_DAYS = 1825

export const keysCreate: Command = {
  name: 'keys create',
  usage: `<name> --scope ${SERVICE_SCOPES.slice(0, 2).join(',')} [--days ${DEFAULT_DAYS}]`,
  summary: `Make a service key and show it once; scopes: ${SERVICE_SCOPES.join(', ')}`,
  async run(words, { installation, now, audit, say }) {
    const { name, options } = readArguments(words, ['name'], { scope: { type: 'string' }, days: { type: 'string' } })
    if (!/^[\p{L}\p{N} ._-]{1,100}$/u.test(name))
      throw new UsageError('The name must be 1 to 100 letters, digits, spaces, dots, dashes or underscores')
    const scopes = readScopes(options.scope)
    const expiresAt = new Date(`${addDays(now.toISOString().slice(0, 10), readDays(options.days))}T23:59:59.999Z`)
    const made = createServiceKey()
    await installation.db.transaction().execute(async (tx) => {
      const key = { ...made, name, scopes, createdBy: audit.email, createdAt: now, expiresAt }
      if (!(await insertServiceKey(tx, key)))
        throw new UsageError(`A key named "${name}" is in use. Revoke it first, or choose another name.`)
      await writeAudit(tx, audit, { action: 'service-key.create', target: made.id, after: { name, scopes, expiresAt } })
    })
    say(made.key)
    say(`Keep it now: it cannot be shown again. ${name} may use ${scopes.join(', ')} until ${day(expiresAt)}.`)
  },
}

export const keysList: Command = {
  name: 'keys list',
  usage: '',
  summary: 'Show the service keys with their scopes, last use and state',
  async run(words, { installation, now, say }) {
    readArguments(words, [], {})
    for (const key of await listServiceKeys(installation.db)) say(keyLine(key, now))
  },
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  usage: '<name>',
  summary: 'Revoke a service key at once',
  async run(words, { installation, now, audit, say }) {
    const { name } = readArguments(words, ['name'], {})
    await installation.db.transaction().execute(async (tx) => {
      const key = await revokeServiceKey(tx, name, now)
      if (!key) throw new UsageError(`No key named "${name}" is in use`)
      await writeAudit(tx, audit, { action: 'service-key.revoke', target: key.id, before: { name } })
    })
    say(`${name} is revoked`)
  },
}

function readScopes(text: string | undefined): ServiceScope[] {
  const scopes = [...new Set(text?.split(',').map((scope) => scope.trim()))].filter((scope) => scope !== '')
  if (scopes.length === 0) throw new UsageError(`--scope must name at least one of ${SERVICE_SCOPES.join(', ')}`)
  return scopes.map((scope) => {
    if (!isServiceScope(scope)) throw new UsageError(`"${scope}" is not a scope: ${SERVICE_SCOPES.join(', ')}`)
    return scope
  })
}

function readDays(text: string | undefined): number {
  const days = text === undefined ? DEFAULT_DAYS : Number(text)
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new UsageError(`--days must be a whole number from 1 to ${MAX_DAYS}`)
  return days
}

function keyLine(key: ServiceKeyRow, now: Date): string {
  const used = key.last_used_at ? `last used ${key.last_used_at.toISOString()}` : 'never used'
  return `${key.name}  ${key.id}  ${key.scopes.join(',')}  ${stateOf(key, now)}  ${used}`
}

function stateOf({ revoked_at, expires_at }: ServiceKeyRow, now: Date): string {
  if (revoked_at) return `revoked ${day(revoked_at)}`
  return `${expires_at <= now ? 'expired' : 'valid until'} ${day(expires_at)}`
}

const day = (at: Date) => at.toISOString().slice(0, 10)
