import fs from 'node:fs/promises'
import path from 'node:path'

/** Timeout in milliseconds and maximum size in bytes: the first document waits for the logo. */
const TIMEOUT = 3_000
const MAX_SIZE = 512 * 1024

type Source = {
  /** An http(s) address, or a path on the portal itself. */
  readonly logoUrl: string
  readonly origin: string
  /** The folder of the web app, which serves such paths. */
  readonly web: string | undefined
}

/** The file of the logo, or an error that says why it cannot be loaded. */
export async function fetchLogo({ logoUrl, origin, web }: Source): Promise<Buffer> {
  const address = new URL(logoUrl, origin)
  const bytes = (logoUrl.startsWith('/') && web && (await readOwn(web, address))) || (await download(address))
  if (bytes.length > MAX_SIZE) throw new Error(`the logo is larger than ${MAX_SIZE / 1024} kB`)
  return bytes
}

/** A proxy may serve the path instead: then there is no such file here. */
function readOwn(web: string, { pathname }: URL): Promise<Buffer | undefined> {
  return fs.readFile(path.join(web, decodeURIComponent(pathname))).catch(() => undefined)
}

async function download(address: URL): Promise<Buffer> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) })
  if (!answer.ok) throw new Error(`the address of the logo answers ${answer.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_SIZE) break
  }
  return Buffer.concat(chunks)
}
