import { type setIps as operation, toIpRules, toWhitelist } from '#contract/elastic/credentials/credentials.ts'
import { ALL_ALLOWED, OTHERS_BLOCKED, readIpRules, sameIpRules } from '#domain/elastic/credentials/ip-rules.ts'
import { ConflictError, HttpError } from '#server/http/http-error.ts'
import {
  editedCredential,
  loadIpRules,
  lockCredentials,
  saveIpRules as save,
} from '#server/modules/elastic/credentials/credentials.queries.ts'
import { listed, mailAdministrators } from '#server/modules/elastic/credentials/credentials-mail.ts'
import { findNamedServer } from '#server/modules/elastic/credentials/named-server.ts'
import { countSave } from '#server/operations/revisions.queries.ts'
import type { Call, Result } from '#server/operations/route.ts'

const CHANGED_MEANWHILE = 'The IP rules were changed by somebody else in the meantime.'

export async function saveIpRules(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { body, db } = call
  const read = readIpRules(toIpRules(body.whitelist))
  if ('error' in read) throw new HttpError(400, read.error)
  const { rules } = read
  const after = { whitelist: toWhitelist(rules) }
  const server = await findNamedServer(call)
  await lockCredentials(db, server)
  const current = await loadIpRules(db, server)
  if (sameIpRules(current.rules, rules)) return { data: { ...after, revision: current.revision } }
  const before = { whitelist: toWhitelist(current.rules) }
  const revision = await countSave(db, editedCredential('IP rules', server), body.revision)
  if (revision === undefined)
    throw new ConflictError(CHANGED_MEANWHILE, { current: { ...before, revision: current.revision }, yours: after })

  await save(db, server, rules)
  await call.audit({ target: server.deviceId, before, after })
  await mailAdministrators(call, server, {
    kind: 'IP rules',
    title: 'The IP rules of your elastic license server have been changed',
    text: `${rules.length === 0 ? ALL_ALLOWED : OTHERS_BLOCKED}. Running sessions continue.`,
    facts: [['Allowed', listed(rules.map(({ name, address }) => `${address} (${name})`))]],
    path: 'whitelistips',
  })
  return { data: { ...after, revision } }
}
