import Fastify from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { PlainLine, PlainLines } from '#contract/kit/plain-text.ts'
import { exactly } from '#contract/kit/schema.ts'
import { schemaController } from '#server/http/schema-compilers.ts'

const body = exactly({
  names: Type.Array(exactly({ name: PlainLine(20, { isRequired: true }) })),
  note: Type.Optional(Type.Union([PlainLines(100), Type.Null()])),
})

async function send(payload: object) {
  const app = Fastify({ schemaController })
  app.post('/', { schema: { body } }, async (request) => request.body)
  const answer = await app.inject({ method: 'POST', url: '/', payload })
  await app.close()
  return { status: answer.statusCode, body: answer.json<unknown>() }
}

test('a use case gets normalized texts, at any depth of the body', async () => {
  const sent = { names: [{ name: ' Design\t' }, { name: 'x\u202ey' }], note: ' one\r\ntwo\u0007 ' }
  expect(await send(sent)).toEqual({
    status: 200,
    body: { names: [{ name: 'Design' }, { name: 'xy' }], note: 'one\ntwo' },
  })
  expect((await send({ names: [], note: null })).body).toEqual({ names: [], note: null })
})

test('a required text without visible characters is rejected, and so is one that is too long', async () => {
  for (const name of [' \u202e\u0001', '', 'x'.repeat(21)]) expect((await send({ names: [{ name }] })).status).toBe(400)
})
