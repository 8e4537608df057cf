import type { saveUsers as operation } from '#contract/elastic/credentials/credentials.ts'
import { readUsernames, sameUsernames, usernameKey } from '#domain/elastic/credentials/usernames.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import {
  editedCredential,
  loadUsernames,
  lockCredentials,
  saveUsernames as save,
} from '#server/modules/elastic/credentials/credentials.queries.ts'
import { listed, mailAdministrators } from '#server/modules/elastic/credentials/credentials-mail.ts'
import { findNamedServer } from '#server/modules/elastic/credentials/named-server.ts'
import { countSave } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The allowed usernames were changed by somebody else in the meantime.'

export async function saveUsernames(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db } = call
  const read = readUsernames(body.users)
  if ('error' in read) throw new HttpError(400, read.error)
  const { users } = read
  const server = await findNamedServer(call)
  await lockCredentials(db, server)
  const current = await loadUsernames(db, server)
  if (sameUsernames(current.users, users)) return { data: { ...current, users } }
  const revision = await countSave(db, editedCredential('usernames', server), body.revision)
  if (revision === undefined) throw new ConflictError(CHANGED_MEANWHILE, { current, yours: { users } })

  await save(db, server, users)
  await call.audit({ target: server.deviceId, before: { users: current.users }, after: { users } })
  await mailAdministrators(call, server, {
    kind: 'usernames',
    title: 'The allowed usernames of your elastic license server have been changed',
    text:
      users.length === 0
        ? 'All users who know the PIN can start sessions now.'
        : 'Only the allowed usernames can start sessions now. Running sessions continue.',
    facts: [
      ['Added', listed(missingFrom(current.users, users))],
      ['Removed', listed(missingFrom(users, current.users))],
    ],
    path: 'clscredentials',
  })
  return { data: { users, revision } }
}

function missingFrom(list: readonly string[], names: readonly string[]): string[] {
  const keys = new Set(list.map(usernameKey))
  return names.filter((name) => !keys.has(usernameKey(name)))
}
