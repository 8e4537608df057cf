import fs from 'node:fs/promises'
import path from 'node:path'
import { readUsageTexts } from '#domain/license-use/read-usage-text.ts'
import { type LoneCommand, UsageError } from '#server/cli/command.ts'

export const licenseUseRead: LoneCommand = {
  name: 'license-use read',
  usage: '<file> …',
  summary:
    'Print as JSON what is understood of lmstat output, debug logs and options files of a license server; several files of a log are read together',
  async runAlone(words, { say }) {
    const option = words.find((word) => word.startsWith('--'))
    if (option) throw new UsageError(`Unexpected argument: ${option}`)
    if (!words.length) throw new UsageError('<file> is missing')
    const texts = await Promise.all(
      words.map(async (word) => ({ file: path.basename(word), bytes: await readBytes(word) })),
    )
    const results = readUsageTexts(texts)
    say(JSON.stringify(results.length === 1 ? results[0] : results, null, 1))
    const refused = results.flatMap((one) => (one.kind === 'unknown' ? [one.file] : []))
    if (refused.length)
      throw new Error(
        `${refused.join(', ')}: not lmstat output, a debug log or an options file of FlexNet. Nothing was read.`,
      )
  },
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await fs.readFile(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}
