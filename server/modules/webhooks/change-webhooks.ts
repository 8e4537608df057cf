import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type {
  removeWebhook as RemoveOperation,
  rotateWebhookSecret as RotateOperation,
  saveWebhook as SaveOperation,
} from '#contract/webhooks/webhooks.ts'
import { urlError } from '#domain/webhooks/egress.ts'
import { eventsError, MAX_ENDPOINTS, ROTATION_HOURS, tidiedUrl } from '#domain/webhooks/endpoint.ts'
import { EVENT_TYPES } from '#domain/webhooks/event-types.ts'
import type { DB } from '#server/db/schema.ts'
import { BusinessRefusal, ConflictError, HttpError } from '#server/http/http-error.ts'
import { holdDeliveries, listFailureMessages } from '#server/modules/webhooks/deliveries.queries.ts'
import {
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoints,
  updateEndpoint,
} from '#server/modules/webhooks/endpoints.queries.ts'
import {
  createEndpointSecret,
  type EndpointKey,
  formatSecret,
  openSealedSecret,
  sealSecret,
  WEBHOOK_SECRET,
} from '#server/modules/webhooks/webhook-secret.seal.ts'
import type { Call, Result } from '#server/operations/route.ts'
import { deleteFailedMessages } from '#server/outbox/outbox.queries.ts'

type SaveCall = Call<typeof SaveOperation>

const HOUR = 3_600_000
const CHANGED_MEANWHILE = 'This webhook was changed by somebody else in the meantime.'

export async function saveWebhook(call: SaveCall): Promise<Result<typeof SaveOperation>> {
  const { body, db, standing } = call
  const wanted = readWanted(call)
  await lockEndpoints(db, standing.customerNumber)
  const endpoints = await listEndpoints(db, standing.customerNumber)
  if (endpoints.some(({ id, url }) => url === wanted.url && id !== body.id))
    throw new BusinessRefusal('WEBHOOK_EXISTS', 'This account already has a webhook with this URL.')
  if (body.id === undefined) return addEndpoint(call, wanted, endpoints.length)
  const current = endpoints.find(({ id }) => id === body.id)
  if (!current) throw noSuchWebhook()
  return changeEndpoint(call, wanted, current)
}

type Wanted = { readonly url: string; readonly events: string[]; readonly description: string; readonly isOn: boolean }

function readWanted({ body, services: { config } }: SaveCall): Wanted {
  const error = urlError(body.url, config.webhooks) ?? eventsError(body.events)
  if (error) throw new HttpError(400, error)
  return {
    url: tidiedUrl(body.url),
    events: EVENT_TYPES.map(({ type }) => type).filter((type) => body.events.includes(type)),
    description: body.description ?? '',
    isOn: body.isOn ?? true,
  }
}

async function addEndpoint(
  call: SaveCall,
  { url, events, description, isOn }: Wanted,
  others: number,
): Promise<Result<typeof SaveOperation>> {
  const { actor, db, now, standing } = call
  if (others >= MAX_ENDPOINTS)
    throw new BusinessRefusal(
      'TOO_MANY_WEBHOOKS',
      `An account can have ${MAX_ENDPOINTS} webhooks. Remove one to add another.`,
    )
  const key = { customerNumber: standing.customerNumber, id: randomUUID() }
  const { sealed, text } = await newSecret(call, key)
  await insertEndpoint(db, {
    customer_number: key.customerNumber,
    id: key.id,
    url,
    description,
    events,
    is_on: isOn,
    off_reason: isOn ? null : offReason(actor.email),
    secret: sealed,
    created_by: actor.email,
    created_at: now,
  })
  await call.audit({ target: key.id, after: { url, description, events, isOn } })
  return { data: { id: key.id, secret: text } }
}

async function changeEndpoint(
  call: SaveCall,
  wanted: Wanted,
  current: EndpointRow,
): Promise<Result<typeof SaveOperation>> {
  const { actor, body, db, standing } = call
  const key = { customerNumber: standing.customerNumber, id: current.id }
  const before = toAudited(current)
  if (body.revision !== undefined && body.revision !== current.revision)
    throw new ConflictError(CHANGED_MEANWHILE, { current: { ...before, revision: current.revision }, yours: wanted })
  const isOn = body.isOn ?? current.is_on
  const after = { ...wanted, description: body.description ?? current.description, isOn }
  const { url, description, events } = after
  const isSwitched = isOn !== current.is_on
  await updateEndpoint(db, key, {
    url,
    description,
    events,
    revision: current.revision + 1,
    ...(isSwitched ? { is_on: isOn, off_reason: isOn ? null : offReason(actor.email), failing_since: null } : {}),
  })
  if (isSwitched && !isOn) await holdDeliveries(db, key)
  await call.audit({ target: key.id, before, after })
  return { data: { id: key.id } }
}

const offReason = (email: string) => `Switched off by ${email}`

const toAudited = ({ url, description, events, is_on }: EndpointRow) => ({ url, description, events, isOn: is_on })

export const noSuchWebhook = () => new HttpError(404, 'There is no such webhook.')

export async function rotateSecret(call: Call<typeof RotateOperation>): Promise<Result<typeof RotateOperation>> {
  const { body, db, now, standing } = call
  const key = { customerNumber: standing.customerNumber, id: body.id }
  await lockEndpoints(db, key.customerNumber)
  const current = await findEndpoint(db, key)
  if (!current) throw noSuchWebhook()
  const { sealed, text } = await newSecret(call, key)
  const until = new Date(now.getTime() + ROTATION_HOURS * HOUR)
  await updateEndpoint(db, key, { secret: sealed, former_secret: current.secret, former_secret_until: until })
  await call.audit({ target: body.id, after: { url: current.url, formerSecretUntil: until.toISOString() } })
  return { data: { id: body.id, secret: text, formerSecretUntil: until.toISOString() } }
}

async function newSecret({ db, services }: Pick<SaveCall, 'db' | 'services'>, key: EndpointKey) {
  const secret = createEndpointSecret()
  const sealed = sealSecret(await services.secrets.load(db, WEBHOOK_SECRET), key, secret)
  return { sealed, text: formatSecret(secret) }
}

/** The secrets that sign now, the current one first. One that does not open is left out. */
export function secretsOf(installation: Buffer, row: EndpointRow, now: Date): Buffer[] {
  const { secret, former_secret, former_secret_until } = row
  const isFormerValid = former_secret !== null && former_secret_until !== null && former_secret_until > now
  const sealed = isFormerValid ? [secret, former_secret] : [secret]
  const key = { customerNumber: row.customer_number, id: row.id }
  return sealed.flatMap((one) => openSealedSecret(installation, key, one) ?? [])
}

export async function removeWebhook(call: Call<typeof RemoveOperation>): Promise<Result<typeof RemoveOperation>> {
  const { body, db, standing } = call
  const removed = await removeEndpoint(db, { customerNumber: standing.customerNumber, id: body.id })
  if (!removed) throw noSuchWebhook()
  await call.audit({ target: body.id, before: toAudited(removed) })
  return { data: null }
}

/** The endpoint that was removed, with its deliveries; undefined if there is none. */
export async function removeEndpoint(tx: Transaction<DB>, key: EndpointKey): Promise<EndpointRow | undefined> {
  await lockEndpoints(tx, key.customerNumber)
  const current = await findEndpoint(tx, key)
  if (!current) return undefined
  await deleteFailedMessages(tx, await listFailureMessages(tx, key))
  await deleteEndpoint(tx, key)
  return current
}
