import { queryOptions } from '@tanstack/react-query'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { type Body, call, type Data } from '#web/lib/api/api-client.ts'
import { hasCode } from '#web/lib/api/api-error.ts'
import { query } from '#web/lib/api/api-query.ts'

/** An elastic license server, as every call about it names it. */
export type ServerKey = Pick<Body<'getpin'>, 'customerNumber' | 'clsId'>

/** Null if the server has no PIN and this person cannot create one. */
export type LoadedPin = { readonly pin: string | null; readonly revision: number }

export function pinQuery(server: ServerKey) {
  return queryOptions({
    queryKey: ['elastic-pin', server],
    queryFn: ({ signal }): Promise<LoadedPin> =>
      call('getpin', { body: server, signal }).catch((error: unknown) => {
        if (hasCode(error, 'PIN_NOT_FOUND')) return { pin: null, revision: 0 }
        throw error
      }),
    ...FOR_A_FORM,
  })
}

export async function savePin(server: ServerKey, pin: string, revision: number, idempotencyKey: string) {
  return { pin, ...(await call('changepin', { body: { ...server, pin, revision }, idempotencyKey })) }
}

export type LoadedUsers = Data<'getUsers'>

export const usernamesQuery = (server: ServerKey) =>
  queryOptions({ ...query('getUsers', { body: server }), ...FOR_A_FORM })

export function saveUsernames(server: ServerKey, users: string[], revision: number, idempotencyKey: string) {
  return call('saveUsers', { body: { ...server, users, revision }, idempotencyKey })
}

export type LoadedIpRules = Data<'getips'>

export const ipRulesQuery = (server: ServerKey) => queryOptions({ ...query('getips', { body: server }), ...FOR_A_FORM })

export function saveIpRules(
  server: ServerKey,
  whitelist: LoadedIpRules['whitelist'],
  revision: number,
  idempotencyKey: string,
) {
  return call('setips', { body: { ...server, whitelist, revision }, idempotencyKey })
}
