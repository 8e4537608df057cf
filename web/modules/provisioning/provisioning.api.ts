import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { WireRow } from '#contract/kit/list.ts'
import {
  type ScimCall,
  type ScimGroup,
  type ScimPerson,
  scimCallList,
  scimGroupList,
  scimPersonList,
} from '#contract/provisioning/provisioning.ts'
import type { tokenList } from '#contract/tokens/tokens.ts'
import type { WebGroup } from '#contract/web-licenses/web-lists.ts'
import type { FilterInput, SortInput } from '#domain/filter/filter.ts'
import { PROVISIONING_SCOPE } from '#domain/tokens/token-areas.ts'
import { MAX_TOKENS, tokenState } from '#domain/tokens/token-rules.ts'
import { FOR_A_FORM } from '#web/form/for-a-form.ts'
import { call } from '#web/lib/api/api-client.ts'
import { query } from '#web/lib/api/api-query.ts'
import { serverTime } from '#web/lib/server-time.ts'
import { sourceOf } from '#web/table/list/declared-list.ts'

export const provisioningQuery = (customerNumber: string) => query('provisioning', { body: { customerNumber } })

export const personSource = (customerNumber: string) =>
  sourceOf(
    scimPersonList,
    { customerNumber },
    {
      key: ['provisioning-people', customerNumber],
      attributes: Object.keys(scimPersonList.fields) as (keyof ScimPerson)[],
    },
  )

export const groupSource = (customerNumber: string) =>
  sourceOf(
    scimGroupList,
    { customerNumber },
    {
      key: ['provisioning-groups', customerNumber],
      attributes: Object.keys(scimGroupList.fields) as (keyof ScimGroup)[],
    },
  )

export const callSource = (customerNumber: string) =>
  sourceOf(
    scimCallList,
    { customerNumber },
    { key: ['provisioning-calls', customerNumber], attributes: Object.keys(scimCallList.fields) as (keyof ScimCall)[] },
  )

export const scimCallQuery = (customerNumber: string, id: number) =>
  query('provisioning/call', { body: { customerNumber, id } })

/** The tokens of the identity provider that work now, the newest first. */
export const scimTokensQuery = (customerNumber: string) =>
  queryOptions({
    queryKey: ['provisioning-tokens', customerNumber],
    queryFn: async ({ signal }) => {
      const tokens = await call('tokens', {
        body: { customerNumber, filter: OF_PROVISIONING, limit: MAX_TOKENS, sorting: NEWEST_FIRST },
        signal,
      })
      return (tokens as ScimToken[]).filter((token) => ['Active', 'Replaced'].includes(stateOf(token)))
    },
  })

export type ScimToken = WireRow<typeof tokenList.fields>

const stateOf = ({ expires, revoked, replacedBy }: ScimToken) =>
  tokenState(
    {
      expires: new Date(expires),
      revoked: revoked === null ? null : new Date(revoked),
      isReplaced: replacedBy !== null,
    },
    serverTime(),
  )

const OF_PROVISIONING: FilterInput = {
  condition: 'ALL',
  criteria: [{ name: 'scopes', method: 'ARRAY_CONTAINS', value: PROVISIONING_SCOPE }],
}
const NEWEST_FIRST: SortInput[] = [{ name: 'created', direction: 'desc' }]

export const tokenPolicyQuery = (customerNumber: string) =>
  queryOptions({ ...query('tokens/policy', { body: { customerNumber } }), ...FOR_A_FORM })

/** The web groups that a group can be mapped to, by name. */
export const webGroupsQuery = (customerNumber: string) =>
  queryOptions({
    queryKey: ['provisioning-web-groups', customerNumber],
    queryFn: async ({ signal }) =>
      (await call('web/groups', {
        body: { customerNumber, attributes: ['groupId', 'name'], limit: MAX_WEB_GROUPS },
        signal,
      })) as Pick<WebGroup, 'groupId' | 'name'>[],
  })

const MAX_WEB_GROUPS = 1000

/** Loads the screen again. */
export async function reloadProvisioning(queries: QueryClient, customerNumber: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: provisioningQuery(customerNumber).queryKey })
  for (const name of ['tokens', 'people', 'groups', 'calls'])
    await queries.invalidateQueries({ queryKey: [`provisioning-${name}`, customerNumber] })
}
