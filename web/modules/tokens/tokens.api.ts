import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { WireRow } from '#contract/kit/list.ts'
import { tokenList } from '#contract/tokens/tokens.ts'
import type { TokenPolicy } from '#domain/tokens/token-rules.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { type Body, call } from '#web/lib/api-client.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

const ATTRIBUTES = [
  'id',
  'name',
  'owner',
  'scopes',
  'addresses',
  'created',
  'expires',
  'lastUsed',
  'lastAddress',
  'revoked',
  'replacedBy',
] as const
export type TokenRow = Pick<WireRow<typeof tokenList.fields>, (typeof ATTRIBUTES)[number]>

const listKey = (customerNumber: string) => ['tokens', customerNumber]

export const tokenSource = (customerNumber: string) =>
  sourceOf(tokenList, { customerNumber }, { key: listKey(customerNumber), attributes: ATTRIBUTES })

const reloadTokens = (queries: QueryClient, customerNumber: string) =>
  queries.invalidateQueries({ queryKey: listKey(customerNumber) })

export function useReloadTokens(customerNumber: string): () => Promise<void> {
  const queries = useQueryClient()
  return () => reloadTokens(queries, customerNumber)
}

export const sendNewToken = (body: Body<'tokens/create'>, idempotencyKey: string) =>
  call('tokens/create', { body, idempotencyKey })

export const sendRoll = (body: Body<'tokens/roll'>, idempotencyKey: string) =>
  call('tokens/roll', { body, idempotencyKey })

export const sendRevocation = (customerNumber: string, id: string, idempotencyKey: string) =>
  call('tokens/revoke', { body: { customerNumber, id }, idempotencyKey })

export function tokenPolicyQuery(customerNumber: string) {
  return queryOptions({
    queryKey: ['token-policy', customerNumber],
    queryFn: ({ signal }) => call('tokens/policy', { body: { customerNumber }, signal }),
    ...FOR_A_FORM,
  })
}

export const sendTokenPolicy = (
  customerNumber: string,
  policy: TokenPolicy,
  revision: number,
  idempotencyKey: string,
) => call('tokens/policy/save', { body: { customerNumber, policy, revision }, idempotencyKey })
