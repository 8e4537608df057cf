import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TEXTS = /\.(?:js|css|svg|json|txt)$/
/** Below this, a file fits into the packets that are sent anyway. */
const LEAST = 1400

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Writes two compressed copies next to each text file, in the encodings that browsers accept. Compressing here saves
 * doing it for every answer, and the highest quality, too slow for an answer, makes them 7 % smaller.
 */
export async function compressBelow(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  await Promise.all(files.map(compress))
}

async function compress(file) {
  const content = readFileSync(file)
  if (content.length < LEAST) return
  const [small, smaller] = await Promise.all([
    zip(content, { level: 9 }),
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  ])
  writeFileSync(`${file}.gz`, small)
  writeFileSync(`${file}.br`, smaller)
}
