import { queryOptions } from '@tanstack/react-query'
import { changePin, getIps, getPin, getUsers, saveUsers, setIps } from '#contract/elastic/credentials/credentials.ts'
import type { BodyOf, DataOf } from '#contract/kit/operation.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call } from '#web/lib/api-client.ts'
import { hasCode } from '#web/lib/api-failure.ts'

/** An elastic license server, as every call about it names it. */
export type ServerKey = Pick<BodyOf<typeof getPin>, 'customerNumber' | 'clsId'>

/** Null if the server has no PIN and this person cannot create one. */
export type LoadedPin = { readonly pin: string | null; readonly revision: number }

export function pinQuery(server: ServerKey) {
  return queryOptions({
    queryKey: ['elastic-pin', server],
    queryFn: ({ signal }): Promise<LoadedPin> =>
      call(getPin, { body: server, signal }).catch((error: unknown) => {
        if (hasCode(error, 'PIN_NOT_FOUND')) return { pin: null, revision: 0 }
        throw error
      }),
    ...FOR_A_FORM,
  })
}

export async function savePin(server: ServerKey, pin: string, revision: number, idempotencyKey: string) {
  return { pin, ...(await call(changePin, { body: { ...server, pin, revision }, idempotencyKey })) }
}

export type LoadedUsers = DataOf<typeof getUsers>

export function usernamesQuery(server: ServerKey) {
  return queryOptions({
    queryKey: ['elastic-usernames', server],
    queryFn: ({ signal }) => call(getUsers, { body: server, signal }),
    ...FOR_A_FORM,
  })
}

export function saveUsernames(server: ServerKey, users: string[], revision: number, idempotencyKey: string) {
  return call(saveUsers, { body: { ...server, users, revision }, idempotencyKey })
}

export type LoadedIpRules = DataOf<typeof getIps>

export function ipRulesQuery(server: ServerKey) {
  return queryOptions({
    queryKey: ['elastic-ip-rules', server],
    queryFn: ({ signal }) => call(getIps, { body: server, signal }),
    ...FOR_A_FORM,
  })
}

export function saveIpRules(
  server: ServerKey,
  whitelist: LoadedIpRules['whitelist'],
  revision: number,
  idempotencyKey: string,
) {
  return call(setIps, { body: { ...server, whitelist, revision }, idempotencyKey })
}
