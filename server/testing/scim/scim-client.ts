import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Kysely } from 'kysely'
import { PROVISIONING_SCOPE } from '#domain/tokens/token-areas.ts'
import type { DB } from '#server/db/schema.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'

export type ScimAnswer = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any
  readonly headers: LightMyRequestResponse['headers']
}
export type ScimMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type ScimClient = Awaited<ReturnType<typeof scimClient>>

type Parts = { readonly app: FastifyInstance; readonly db: Kysely<DB>; readonly clock: { now(): Date } }
type Token = Parameters<typeof giveApiToken>[1]

/** Calls the portal as the identity provider of an account does. */
export async function scimClient(portal: Parts, customerNumber: string, token: Token = {}) {
  const { headers, id } = await giveApiToken(portal, {
    scopes: [PROVISIONING_SCOPE],
    days: 90,
    ...token,
    customerNumber,
  })
  async function send(
    method: ScimMethod,
    path: string,
    body?: unknown,
    { app = portal.app, ...more }: Record<string, string> & { app?: FastifyInstance } = {},
  ): Promise<ScimAnswer> {
    const answer = await (app as FastifyInstance).inject({
      method,
      url: `/scim/v2/${customerNumber}${path}`,
      headers: { ...headers, 'content-type': 'application/scim+json', ...(more as Record<string, string>) },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return {
      status: answer.statusCode,
      body: answer.body === '' ? undefined : JSON.parse(answer.body),
      headers: answer.headers,
    }
  }
  return {
    tokenId: id,
    headers,
    send,
    get: (path: string, more?: Record<string, string>) => send('GET', path, undefined, more),
    /** Adds a person or a group, and answers the id. */
    async add(type: 'Users' | 'Groups', body: object): Promise<string> {
      const answer = await send('POST', `/${type}`, body)
      if (answer.status !== 201) throw new Error(`POST ${type}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body.id
    },
    patch: (path: string, ...operations: object[]) =>
      send('PATCH', path, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }),
  }
}

/** Says what the members of a group get, as an administrator does. */
export async function mapGroup(
  db: Kysely<DB>,
  customerNumber: string,
  groupId: string,
  gives: { readonly role?: 'Licensing Portal Administrator' | 'Licensing Portal Viewer'; readonly webGroupId?: string },
): Promise<void> {
  await db
    .insertInto('scim_mapping')
    .values({
      customer_number: customerNumber,
      group_id: groupId,
      role: gives.role ?? null,
      web_group_id: gives.webGroupId ?? null,
      saved_by: 'a test',
      saved_at: new Date(),
    })
    .execute()
}

/** A web group that is assigned to an entitlement of `addWebAccount`. */
export async function addWebGroup(
  db: Kysely<DB>,
  customerNumber: string,
  name: string,
  activationId?: string,
): Promise<string> {
  const signed = { created_at: new Date(), created_by: 'a test' }
  const { group_id } = await db
    .insertInto('web_group')
    .values({ customer_number: customerNumber, name, name_key: name.toLowerCase(), ...signed })
    .returning('group_id')
    .executeTakeFirstOrThrow()
  if (activationId !== undefined)
    await db
      .insertInto('web_group_assignment')
      .values({
        customer_number: customerNumber,
        activation_id: `${customerNumber}-${activationId}`,
        group_id,
        assigned_at: new Date(),
        assigned_by: 'a test',
      })
      .execute()
  return group_id
}
