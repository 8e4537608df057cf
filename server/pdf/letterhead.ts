import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#server/doors/clock.ts'
import type { Letterhead, PdfLogo } from '#server/pdf/pdf-description.ts'
import type { MakePdf } from '#server/pdf/pdf-maker.ts'

export type LoadLetterhead = () => Promise<Letterhead>

type Parts = {
  readonly brand: { readonly name: string; readonly color: string; readonly logoUrl: string }
  fetchLogo(): Promise<Buffer>
  readonly makePdf: MakePdf
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** How long a logo is used before it is loaded again, and how long one that failed is left alone. In milliseconds. */
const KEPT = 60 * 60_000
const KEPT_AFTER_FAILURE = 5 * 60_000

/**
 * What stands at the top of every document: the logo of the brand if it is set, can be loaded and can be drawn; otherwise
 * the portal's own mark. A logo never keeps a document from being made.
 */
export function createLetterhead({ brand, fetchLogo, makePdf, clock, log }: Parts): LoadLetterhead {
  const { name, color, logoUrl } = brand
  let current: Promise<PdfLogo | undefined> | undefined
  let until = 0

  async function load(previous: PdfLogo | undefined): Promise<PdfLogo | undefined> {
    try {
      const logo = readLogo(await fetchLogo())
      await makePdf(sampleWith({ name, color, logo }, clock.now()))
      return logo
    } catch (error) {
      until = clock.now().getTime() + KEPT_AFTER_FAILURE
      log.warn({ err: error, logo: logoUrl }, 'the logo cannot be drawn in PDF files')
      return previous
    }
  }

  return async () => {
    if (logoUrl === '') return { name, color }
    const now = clock.now().getTime()
    if (!current || now >= until) {
      const previous = current
      until = now + KEPT
      current = Promise.resolve(previous).then(load)
    }
    const logo = await current
    return logo ? { name, color, logo } : { name, color }
  }
}

/** Detects the type by the first bytes, because servers often report a wrong one. */
function readLogo(bytes: Buffer): PdfLogo {
  const start = bytes.subarray(0, 1000).toString('latin1')
  if (start.startsWith('\x89PNG'))
    return { kind: 'image', dataUrl: `data:image/png;base64,${bytes.toString('base64')}` }
  if (start.startsWith('\xff\xd8\xff'))
    return { kind: 'image', dataUrl: `data:image/jpeg;base64,${bytes.toString('base64')}` }
  if (start.includes('<svg')) return { kind: 'svg', svg: bytes.toString('utf8') }
  throw new Error('the logo is neither PNG nor JPEG nor SVG')
}

const sampleWith = (letterhead: Letterhead, createdAt: Date) => ({
  title: 'Logo',
  language: 'en-US',
  createdAt,
  letterhead,
  blocks: [],
})
