import dgram from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTxtLookup, type FindTexts } from '#server/doors/txt-records.ts'

/** A name server on loopback: names say what it answers. */
let server: dgram.Socket
let findTexts: FindTexts
beforeAll(async () => {
  server = dgram.createSocket('udp4')
  server.on('message', (query, { port, address }) => {
    const answer = answerTo(query)
    if (answer) server.send(answer, port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  findTexts = createTxtLookup({ addresses: [`127.0.0.1:${server.address().port}`], timeout: 300 })
})
afterAll(() => void server.close())

const RECORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'one.example': [['v=spf1 -all'], ['licensing-portal-', 'domain=abc']],
  'none.example': [],
}

function answerTo(query: Buffer): Buffer | undefined {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const labels: string[] = []
  for (let at = 0; question[at]; at += (question[at] ?? 0) + 1)
    labels.push(question.subarray(at + 1, at + 1 + (question[at] ?? 0)).toString())
  const name = labels.join('.')
  if (name === 'silent.example') return undefined
  const records = RECORDS[name]
  const code = name === 'broken.example' ? 2 : records ? 0 : 3
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records?.length ?? 0, 6)
  header.writeUInt32BE(0, 8)
  const answers = (records ?? []).map((pieces) => {
    const data = Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])))
    const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length])
    return Buffer.concat([head, data])
  })
  return Buffer.concat([header, question, ...answers])
}

test('reads the texts at a name, each put together from its pieces', async () => {
  expect([...((await findTexts('one.example')) ?? [])].sort()).toEqual(['licensing-portal-domain=abc', 'v=spf1 -all'])
})

test.each(['none.example', 'unknown.example'])('finds no text at %s', async (name) => {
  expect(await findTexts(name)).toEqual([])
})

test.each(['broken.example', 'silent.example'])(
  'knows nothing of %s, whose name servers give no answer',
  async (name) => {
    expect(await findTexts(name)).toBeUndefined()
  },
)
