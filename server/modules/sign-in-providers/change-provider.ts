import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type {
  removeSignInProvider as RemoveOperation,
  saveSignInProvider as SaveOperation,
  switchSignInProvider as SwitchOperation,
} from '#contract/sign-in-providers/sign-in-providers.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import { NO_PROVIDER, providerErrors, switchRefusal } from '#domain/sign-in-providers/provider.ts'
import { urlError } from '#domain/webhooks/egress.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { listAdministrators } from '#server/modules/accounts/accounts.public.ts'
import { loadSignInProvider } from '#server/modules/sign-in-providers/load-provider.ts'
import { domainsInForce, followProvider } from '#server/modules/sign-in-providers/proven-domains.ts'
import { loadProviderSecret } from '#server/modules/sign-in-providers/provider-client.ts'
import { sealProviderSecret } from '#server/modules/sign-in-providers/provider-secret.seal.ts'
import {
  deleteProvider,
  findProvider,
  insertProvider,
  listDomains,
  lockProvider,
  type ProviderRow,
  updateProvider,
} from '#server/modules/sign-in-providers/providers.queries.ts'
import { listWebGroups } from '#server/modules/web-licenses/web-licenses.public.ts'
import type { Call, Result } from '#server/operations/route.ts'

type SaveCall = Call<typeof SaveOperation>

const CHANGED_MEANWHILE = 'The sign-in provider was changed by somebody else in the meantime.'
const SWITCH_OFF_FIRST =
  'Switch the sign-in off first. Only its secret, its key and the groups can be changed while it is on.'
const NO_SUCH_GROUP = 'A rule names a web group that the account does not have.'

const loadState = ({
  actor,
  db,
  now,
  services,
  standing,
}: Pick<SaveCall, 'actor' | 'db' | 'now' | 'services' | 'standing'>) =>
  loadSignInProvider(db, { customerNumber: standing.customerNumber, actor, config: services.config, now })

export async function saveProvider(call: SaveCall): Promise<Result<typeof SaveOperation>> {
  const { body, db, services, standing } = call
  const { customerNumber } = standing
  await lockProvider(db, customerNumber)
  const current = await findProvider(db, customerNumber)
  const { issuer, clientId, clientAuth, groupClaim, rules, clientSecret = '' } = body
  const errors = providerErrors(
    { issuer, clientId, clientAuth, clientSecret, groupClaim, rules },
    current !== undefined && current.client_secret !== null,
  )
  const error = urlError(issuer, services.config.webhooks) ?? Object.values(errors)[0]
  if (error !== undefined) throw new HttpError(400, error)
  const groups = new Set((await listWebGroups(db, customerNumber)).map(({ groupId }) => groupId))
  if (rules.some(({ webGroupId }) => webGroupId !== null && !groups.has(webGroupId)))
    throw new HttpError(400, NO_SUCH_GROUP)
  const connection = { issuer: issuer.trim(), client_id: clientId, client_auth: clientAuth }
  const isMoved =
    current !== undefined &&
    Object.entries(connection).some(([name, value]) => current[name as keyof typeof connection] !== value)
  if (isMoved && current.mode !== 'off') throw new BusinessRefusal('SIGN_IN_NOT_READY', SWITCH_OFF_FIRST)
  const isChanged =
    isMoved ||
    clientSecret !== '' ||
    body.newKey ||
    !isDeepStrictEqual([current?.group_claim, current?.rules], [groupClaim, rules])
  if (current && !isChanged) return { data: await loadState(call) }
  await refuseStale(call, current)
  const secrets = await newSecrets(call, current)
  const row = { ...connection, ...secrets, group_claim: groupClaim, rules: JSON.stringify(rules) }
  const isNewVersion = isMoved || Object.keys(secrets).length > 0
  if (current)
    await updateProvider(db, customerNumber, {
      ...row,
      revision: current.revision + 1,
      version: current.version + (isNewVersion ? 1 : 0),
    })
  else await insertProvider(db, { customer_number: customerNumber, ...row })
  await call.audit({
    ...(current ? { before: toAudited(current) } : {}),
    after: {
      ...toAudited({
        ...connection,
        group_claim: groupClaim,
        rules,
        mode: current?.mode ?? 'off',
        break_glass: current?.break_glass ?? null,
      }),
      ...('client_secret' in secrets ? { clientSecret: 'new' } : {}),
      ...('private_key' in secrets ? { key: 'new' } : {}),
    },
  })
  return { data: await loadState(call) }
}

async function newSecrets(
  { body, db, services, standing }: SaveCall,
  current: ProviderRow | undefined,
): Promise<Partial<Pick<ProviderRow, 'client_secret' | 'private_key' | 'public_key'>>> {
  const { clientAuth, clientSecret = '', newKey = false } = body
  const { customerNumber } = standing
  const installation = await loadProviderSecret({ db, secrets: services.secrets })
  if (clientAuth === 'private_key_jwt') {
    if (!newKey && current && current.private_key !== null) return {}
    const { jwk, keySet } = createKey()
    return {
      client_secret: null,
      private_key: sealProviderSecret(installation, customerNumber, 'private key', jwk),
      public_key: keySet,
    }
  }
  if (clientSecret === '') return {}
  return {
    client_secret: sealProviderSecret(installation, customerNumber, 'client secret', clientSecret),
    private_key: null,
    public_key: null,
  }
}

/** The private key as it is kept, and the key set that the provider gets. */
function createKey(): { jwk: string; keySet: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = randomUUID()
  const about = { kid, use: 'sig', alg: 'RS256' }
  return {
    jwk: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid }),
    keySet: JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), ...about }] }),
  }
}

type Audited = Pick<
  ProviderRow,
  'issuer' | 'client_id' | 'client_auth' | 'group_claim' | 'rules' | 'mode' | 'break_glass'
>
const toAudited = ({ issuer, client_id, client_auth, group_claim, rules, mode, break_glass }: Audited) => ({
  issuer,
  clientId: client_id,
  clientAuth: client_auth,
  groupClaim: group_claim,
  rules,
  mode,
  breakGlass: break_glass,
})

async function refuseStale(call: SaveCall | SwitchCall, current: ProviderRow | undefined): Promise<void> {
  if (call.body.revision === (current?.revision ?? 0)) return
  const state = await loadState(call as SaveCall)
  const { customerNumber: _, revision: __, ...sent } = call.body
  const yours = { ...state, provider: { ...state.provider, ...sent, clientSecret: undefined } }
  throw new ConflictError(CHANGED_MEANWHILE, { current: state, yours })
}

type SwitchCall = Call<typeof SwitchOperation>

export async function switchProvider(call: SwitchCall): Promise<Result<typeof SwitchOperation>> {
  const { body, db, now, standing } = call
  const { customerNumber } = standing
  await lockProvider(db, customerNumber)
  const current = await findProvider(db, customerNumber)
  if (!current) throw new BusinessRefusal('SIGN_IN_NOT_READY', NO_PROVIDER)
  const wanted = { mode: body.mode, breakGlass: body.breakGlass === null ? null : normalizedEmail(body.breakGlass) }
  const refusal = switchRefusal(wanted, {
    // Somebody who rotates the secret of a provider in use need not switch it off for the test.
    isTested: current.tested_version === current.version || (current.mode !== 'off' && current.tested_version !== null),
    hasDomain: domainsInForce(await listDomains(db, customerNumber), now).length > 0,
    administrators: await listAdministrators(db, customerNumber),
  })
  if (refusal !== undefined) throw new BusinessRefusal('SIGN_IN_NOT_READY', refusal)
  const change = { mode: wanted.mode, break_glass: wanted.breakGlass }
  if (current.mode === change.mode && current.break_glass === change.break_glass)
    return { data: await loadState(call as unknown as SaveCall) }
  await refuseStale(call, current)
  await updateProvider(db, customerNumber, { ...change, revision: current.revision + 1 })
  await followProvider(db, customerNumber, now)
  await call.audit({ before: toAudited(current), after: toAudited({ ...current, ...change }) })
  return { data: await loadState(call as unknown as SaveCall) }
}

/** Everybody signs in as before. What groups have given stays, as if it had been given by hand. */
export async function removeProvider(call: Call<typeof RemoveOperation>): Promise<Result<typeof RemoveOperation>> {
  const { db, now, standing } = call
  const { customerNumber } = standing
  await lockProvider(db, customerNumber)
  const current = await findProvider(db, customerNumber)
  if (!current) return { data: null }
  await deleteProvider(db, customerNumber)
  await followProvider(db, customerNumber, now)
  await call.audit({ before: toAudited(current) })
  return { data: null }
}
