import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { requestExample } from '#server/http/openapi-examples.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { callOperation, type Portal, signIn, startPortal } from '#server/testing/portal.ts'
import { bearer, giveServiceKey } from '#server/testing/service-keys.ts'

/** The parts of an upload are sent before it starts, a stream does not end, and removals are known only since the installation. */
const LEFT_OUT: readonly RegExp[] = [
  /^license-use[/]uploads[/]start$/,
  /^notifications[/]stream$/,
  /^service[/].*[/]removed$/,
]

let portal: Portal
let cookie: string
let ofKey: Record<string, string>
let ofToken: Record<string, string>
beforeAll(async () => {
  portal = await startPortal()
  cookie = await signIn(portal.app, 'ada.admin@aerodyne.example')
  ofKey = (await giveServiceKey(portal, 'examples')).headers
  ofToken = bearer((await giveApiToken(portal)).token)
})
afterAll(() => portal.close())

const asText = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

test.each(OPERATIONS.filter(({ name, upload }) => !upload && !LEFT_OUT.some((pattern) => pattern.test(name))))(
  'the portal understands the example of $name',
  async (operation) => {
    const { params, query, body } = requestExample(operation)
    const isSession = operation.access.kind !== 'service' && operation.token === null
    const headers = isSession ? {} : operation.access.kind === 'service' ? ofKey : ofToken
    const answer = await callOperation(portal.app, operation, isSession ? cookie : undefined, {
      params: asText(params),
      query: asText(query),
      ...(body === undefined ? {} : { body }),
      headers,
    })
    expect(answer.status === 400 ? answer.body.err : undefined).toBeUndefined()
  },
)
