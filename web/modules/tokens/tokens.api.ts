import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { WireRow } from '#contract/kit/list.ts'
import { tokenList } from '#contract/tokens/tokens.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { query } from '#web/lib/api/api-query.ts'
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

export const reloadTokens = (queries: QueryClient, customerNumber: string) =>
  queries.invalidateQueries({ queryKey: listKey(customerNumber) })

export const tokenPolicyQuery = (customerNumber: string) =>
  queryOptions({ ...query('tokens/policy', { body: { customerNumber } }), ...FOR_A_FORM })
