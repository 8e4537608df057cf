import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isRunning } from '#server/embedded/process-state.ts'

const PREFIX = 'portal-test-'

/** A directory of this test run that user postgres can walk into; what killed runs left behind is removed on the way. */
export function walkableDirectory(purpose: string): string {
  removeLeftovers()
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-${purpose}-`))
  fs.chmodSync(directory, 0o755)
  return directory
}

function removeLeftovers(): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const maker = name.startsWith(PREFIX) && Number.parseInt(name.slice(PREFIX.length), 10)
    if (maker && !isRunning(maker)) fs.rmSync(path.join(os.tmpdir(), name), { recursive: true, force: true })
  }
}
