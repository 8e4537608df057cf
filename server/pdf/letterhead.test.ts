import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { getDocumentProxy } from 'unpdf'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { getStatementPdf } from '#contract/elastic/statements/statements.ts'
import { createLetterhead } from '#server/pdf/letterhead.ts'
import { createPdfMaker } from '#server/pdf/pdf-maker.ts'
import { ADA } from '#server/testing/activations.ts'
import { readPdf } from '#server/testing/pdf.ts'
import { startPortal } from '#server/testing/portal.ts'

const maker = createPdfMaker()
afterAll(() => maker.close())

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><rect width="60" height="20" fill="#12ab34"/></svg>',
)
/** One gray pixel. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==',
  'base64',
)

/** A red square of 4 × 4 pixels. */
function png(): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(12, Buffer.from([200, 16, 46]))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(4, 0)
  header.writeUInt32BE(4, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const data = deflateSync(Buffer.concat([row, row, row, row]))
  const chunks = [
    ['IHDR', header],
    ['IDAT', data],
    ['IEND', Buffer.alloc(0)],
  ] as const
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...chunks.flatMap(([type, content]) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(content.length)
      const body = Buffer.concat([Buffer.from(type), content])
      const sum = Buffer.alloc(4)
      sum.writeUInt32BE(crc32(body))
      return [length, body, sum]
    }),
  ])
}

let now: number
let answers: (Buffer | Error)[]
const warnings: unknown[] = []
beforeEach(() => {
  now = Date.parse('2026-03-01T12:00:00Z')
  answers = []
  warnings.length = 0
})

const letterheadWith = (...logos: (Buffer | Error)[]) => {
  answers = logos
  return createLetterhead({
    brand: { name: 'Vendor', color: '#3451b2', logoUrl: 'https://vendor.example/logo' },
    async fetchLogo() {
      const next = answers.shift()
      if (next === undefined) throw new Error('loaded too often')
      if (next instanceof Error) throw next
      return next
    },
    makePdf: maker.makePdf,
    clock: { now: () => new Date(now) },
    log: { warn: (...line: unknown[]) => void warnings.push(line) },
  })
}

async function draw(letterhead: Awaited<ReturnType<ReturnType<typeof letterheadWith>>>) {
  const bytes = await maker.makePdf({
    title: 'Document',
    language: 'en-US',
    createdAt: new Date(now),
    letterhead,
    blocks: [],
  })
  const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1)
  const { argsArray } = await page.getOperatorList()
  return { bytes, drawn: JSON.stringify(argsArray) }
}
const hasPicture = (bytes: Uint8Array) => Buffer.from(bytes).includes('/Subtype /Image')

describe('the letterhead', () => {
  test.each([
    ['PNG', png()],
    ['JPEG', JPEG],
  ])('draws a %s logo next to the name', async (_, file) => {
    const { bytes } = await draw(await letterheadWith(file)())
    expect(hasPicture(bytes)).toBe(true)
    expect((await readPdf(bytes)).lines).toContain('Vendor')
    expect(warnings).toEqual([])
  })

  test('draws an SVG logo', async () => {
    const { drawn } = await draw(await letterheadWith(SVG)())
    expect(drawn).toContain('#12ab34')
  })

  test('is loaded once an hour', async () => {
    const load = letterheadWith(SVG, png())
    expect((await Promise.all([load(), load()])).map(({ logo }) => logo?.kind)).toEqual(['svg', 'svg'])
    now += 59 * 60_000
    expect((await load()).logo?.kind).toBe('svg')
    now += 60_000
    expect((await load()).logo?.kind).toBe('image')
  })

  test.each([
    ['cannot be loaded', new Error('no answer')],
    ['is no picture', Buffer.from('<html>Not found</html>')],
    ['is a broken PNG', png().subarray(0, 40)],
    ['is a broken SVG', Buffer.from('<svg viewBox="0 0 x"><rect')],
  ])("has the portal's default mark where the logo %s, and retries after five minutes", async (_, file) => {
    const load = letterheadWith(file, SVG)
    const letterhead = await load()
    expect(letterhead).toEqual({ name: 'Vendor', color: '#3451b2' })
    expect((await draw(letterhead)).drawn).toContain('#3451b2')
    expect(warnings).toHaveLength(1)
    expect((await load()).logo).toBeUndefined()
    now += 5 * 60_000
    expect((await load()).logo?.kind).toBe('svg')
  })

  test('keeps the logo that it has when it cannot be loaded again', async () => {
    const load = letterheadWith(SVG, new Error('no answer'))
    await load()
    now += 60 * 60_000
    expect((await load()).logo?.kind).toBe('svg')
  })

  test('reads no file that an SVG logo names', async () => {
    const link = '<image href="/etc/hostname" width="10" height="10"/>'
    const { bytes } = await draw(await letterheadWith(Buffer.from(SVG.toString().replace('<rect', `${link}<rect`)))())
    expect(hasPicture(bytes)).toBe(false)
  })
})

test('a document has the logo of the setting', async () => {
  const server = http.createServer((_, answer) => answer.end(png())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const portal = await startPortal({ BRAND_LOGO_URL: `http://127.0.0.1:${port}/logo.png`, BRAND_NAME: 'Vendor' })
  onTestFinished(() => portal.close())
  const ada = await portal.as(ADA)
  const body = { customerNumber: '100001', from: '2026-01-01', to: '2099-12-31' }
  const answer = await ada(getStatementPdf, { body })
  expect(hasPicture(answer.body.bytes as Buffer)).toBe(true)
})
