import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { postmasterPid, stopPostmaster } from '#server/embedded/postmaster.ts'
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

/** The data directory of a first start. Whatever the test leaves running there ends with it. */
export function emptyDataDirectory(purpose: string): string {
  const parent = walkableDirectory(purpose)
  const dataDir = path.join(parent, 'data')
  onTestFinished(async () => {
    await endServerIn(path.join(dataDir, 'postgres'))
    fs.rmSync(parent, { recursive: true, force: true })
  })
  return dataDir
}

/** The data directory of a portal that has run before: a copy, which takes a tenth of a first start's time. */
export function usedDataDirectory(purpose: string): string {
  const dataDir = emptyDataDirectory(purpose)
  copyPristine(dataDir)
  return dataDir
}

/** `cp` keeps the owner, which Node's own copy does not. */
export function copyPristine(dataDir: string): void {
  execFileSync('cp', ['-a', inject('pristineDataDir'), dataDir])
}

export async function endServerIn(home: string): Promise<void> {
  const pid = postmasterPid(home)
  if (pid) await stopPostmaster(pid, console.error)
}
