import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { limit } from '#server/testing/slowness.ts'

/** Where the mail server of a run puts what the portal sends, for the journeys to read. */
export const mailDirectory = (portalPort: number): string => join(tmpdir(), `portal-e2e-mail-${portalPort}`)

let kept = 0

export function keepMail(directory: string, source: string): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `${++kept}.eml`), source)
}

export type ReceivedFile = { readonly name: string; readonly text: string }

/** The file attached to the email that has all of these texts in it; waits until it has arrived. */
export async function attachmentOfMail(...texts: readonly string[]): Promise<ReceivedFile> {
  const directory = mailDirectory(Number(process.env.E2E_PORT ?? 8190))
  let source: string | undefined
  await expect(() => {
    const mails = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))
    source = mails.find((mail) => texts.every((text) => mail.toLowerCase().includes(text.toLowerCase())))
    expect(source, `an email with ${texts.join(' and ')}`).toBeDefined()
  }).toPass({ timeout: limit(60_000) })
  const part = source?.split(/Content-Disposition: attachment/i)[1] ?? ''
  const [head = '', body = ''] = part.split('\r\n\r\n')
  // A long name is cut into filename*0, filename*1 and so on.
  const name = [...head.matchAll(/filename(?:\*\d+)?\*?="?([^";\r\n]+)/g)].map((found) => found[1]).join('')
  return { name, text: Buffer.from(body.split('\r\n--')[0] ?? '', 'base64').toString() }
}
