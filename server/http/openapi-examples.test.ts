import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { curlOf, requestExample } from '#server/http/openapi-examples.ts'

test.each(OPERATIONS)('the example of $name is allowed by its schemas', (operation) => {
  const example = requestExample(operation)
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = operation[part]
    if (!schema || (part === 'body' && operation.upload)) continue
    const [error] = Compile(schema).Errors(example[part])
    expect(error && `${part}${error.instancePath} ${error.message}: ${JSON.stringify(example[part])}`).toBeUndefined()
  }
})

test('a call is shown as a command that sends its example', () => {
  const usage = OPERATIONS.find(({ name }) => name === 'fetchUsage')!
  expect(curlOf(usage)).toContain('curl -sS -X POST "$PORTAL/api/fetchUsage" \\\n  -H "Authorization: Bearer $TOKEN"')
  expect(curlOf(usage)).toContain('"customerNumber":"100001"')
})
