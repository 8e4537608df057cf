import { expect, test } from 'vitest'
import { canonicalJson, type JsonValue } from '#domain/audit/canonical-json.ts'

test.each<[value: JsonValue, text: string]>([
  [null, 'null'],
  ['a "b" \u0001 é', '"a \\"b\\" \\u0001 é"'],
  [1.0, '1'],
  [1e21, '1e+21'],
  [[], '[]'],
  [[2, 1], '[2,1]'],
  [{}, '{}'],
  [{ b: 1, a: { d: null, c: [true] } }, '{"a":{"c":[true],"d":null},"b":1}'],
  [{ é: 1, z: 2, '10': 3, '9': 4 }, '{"10":3,"9":4,"z":2,"é":1}'],
])('writes %j as %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})

test('does not depend on the order of keys', () => {
  expect(canonicalJson(JSON.parse('{"b":[{"y":1,"x":2}],"a":0}'))).toBe(canonicalJson({ a: 0, b: [{ x: 2, y: 1 }] }))
})
