import fs from 'node:fs/promises'
import { type Command, readArguments, UsageError } from '#server/cli/command.ts'
import {
  createFirstKey,
  createLicenseThreads,
  listKeys,
  rotateKey,
  verifyLicense,
} from '#server/modules/activations/activations.public.ts'

export const licenseVerify: Command = {
  name: 'license verify',
  usage: '<file>',
  summary: 'Tell whether a license file was generated here and is unchanged',
  async run(words, { installation, say }) {
    const { file } = readArguments(words, ['file'], {})
    const content = await readContent(file)
    const threads = createLicenseThreads({ workers: 1 })
    const answer = await verifyLicense(installation.db, threads, content, 'operator').finally(threads.close)
    for (const { line, feature, outcome, activationId } of answer.blocks)
      say(`line ${line}: ${feature} ${activationId ?? ''} ${outcome}`)
    if (answer.file) say(keptText(answer.file, answer.changedLineCount))
    for (const { kind, line, text } of answer.changedLines) say(`${kind === 'added' ? '+' : '-'} ${line}: ${text}`)
    if (answer.verdict !== 'unchanged') throw new Error(answer.explanation)
    say(answer.explanation)
  },
}

export const licenseKeysCreate: Command = {
  name: 'license keys create',
  usage: '',
  summary: 'Make the first key that signs license files',
  async run(words, { audit, installation, secrets, say }) {
    readArguments(words, [], {})
    const [current] = await listKeys(installation.db)
    if (current) throw new Error(`There is a signing key already: ${current.key_id}. Use license keys rotate.`)
    const key = await createFirstKey(installation.db, secrets, audit)
    say(`License files are signed with ${key.key_id} from now on`)
  },
}

export const licenseKeysRotate: Command = {
  name: 'license keys rotate',
  usage: '',
  summary: 'Sign license files with a new key; files of the old ones stay verifiable',
  async run(words, { audit, installation, secrets, say }) {
    readArguments(words, [], {})
    say(`License files are signed with ${await rotateKey(installation.db, secrets, audit)} from now on`)
  },
}

export const licenseKeysList: Command = {
  name: 'license keys list',
  usage: '',
  summary: 'Show the keys that sign and verify license files',
  async run(words, { installation, say }) {
    readArguments(words, [], {})
    for (const { key_id, created_at, created_by, retired_at } of await listKeys(installation.db)) {
      const state = retired_at ? `verifies only, since ${retired_at.toISOString()}` : 'signs'
      say(`${key_id}  ${state}  made ${created_at.toISOString()} by ${created_by}`)
    }
  },
}

type KeptFile = NonNullable<Awaited<ReturnType<typeof verifyLicense>>['file']>

function keptText({ serverId, customerNumber, generatedAt, generatedBy }: KeptFile, changed: number): string {
  const file = `the file of ${serverId}, customer ${customerNumber}, generated ${generatedAt} by ${generatedBy}`
  return changed === 0 ? `This is ${file}` : `This differs from ${file} (- as generated, + as it is now):`
}

async function readContent(file: string): Promise<Uint8Array> {
  try {
    return await fs.readFile(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}
