import type { Kysely, Transaction } from 'kysely'
import { ScimProblem } from '#domain/provisioning/scim-problem.ts'
import { tagOf } from '#domain/provisioning/scim-resources.ts'
import type { AuditContext, AuditEntry } from '#server/audit/audit.queries.ts'
import type { DB } from '#server/db/schema.ts'
import { HttpError, ScimError } from '#server/http/http-error.ts'
import type { Services } from '#server/services.ts'

/** What a SCIM request says, wherever it comes from: a provider, or the log of calls. */
export type ScimRequest = {
  readonly id?: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/** Where a SCIM request is done, and who is named in the audit log. */
export type ScimReading = {
  readonly db: Kysely<DB>
  readonly customerNumber: string
  /** The address of the account: https://…/scim/v2/100001 */
  readonly base: string
}
export type ScimWriting = ScimReading & {
  readonly db: Transaction<DB>
  readonly services: Pick<Services, 'clock' | 'config'>
  readonly now: Date
  readonly by: AuditContext
  audit(entry: Omit<AuditEntry, 'action'>): Promise<void>
}

export const noSuch = (what: 'user' | 'group', id: string | undefined): HttpError =>
  new HttpError(404, `There is no ${what} with the id ${(id ?? '').slice(0, 100)}.`)

/** What the rules of SCIM refuse is a 400 with its kind. */
export function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ScimProblem) throw new ScimError(400, error.message, error.scimType)
    throw error
  }
}

/** Versions are weak, so that W/"3" and "3" are the same. */
const versionsIn = (header: string) =>
  header
    .slice(0, 1_000)
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))

const names = (header: string, revision: number) => {
  const versions = versionsIn(header)
  return versions.includes('*') || versions.includes(tagOf({ revision }).replace('W/', ''))
}

/** A change of another version than the current one is refused. */
export function requireVersion({ ifMatch }: ScimRequest, { revision }: { readonly revision: number }): void {
  if (ifMatch !== undefined && !names(ifMatch, revision))
    throw new ScimError(412, `The resource has changed: its version is ${tagOf({ revision })}. Read it again.`)
}

export const isUnchanged = ({ ifNoneMatch }: ScimRequest, { revision }: { readonly revision: number }): boolean =>
  ifNoneMatch !== undefined && names(ifNoneMatch, revision)
