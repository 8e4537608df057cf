import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { postmasterPid, stopPostmaster } from '#server/embedded/postmaster.ts'
import { isRunning } from '#server/embedded/process-state.ts'
import { NAME_OF_TEST_DATA, TEST_DATA } from '#server/testing/test-data.ts'

/** A directory of this test run that user postgres can enter; leftovers of killed runs are removed. */
export function walkableDirectory(purpose: string): string {
  removeLeftovers()
  const directory = fs.mkdtempSync(path.join(TEST_DATA, `${NAME_OF_TEST_DATA}${process.pid}-${purpose}-`))
  fs.chmodSync(directory, 0o755)
  return directory
}

function removeLeftovers(): void {
  for (const name of fs.readdirSync(TEST_DATA)) {
    const maker = name.startsWith(NAME_OF_TEST_DATA) && Number.parseInt(name.slice(NAME_OF_TEST_DATA.length), 10)
    if (!maker || isRunning(maker)) continue
    try {
      removeDirectory(path.join(TEST_DATA, name))
    } catch {
      // The directory belongs to another user, or another run is removing it.
    }
  }
}

/** Removes a directory, also one on which a test mounted a file system. */
export function removeDirectory(directory: string): void {
  spawnSync('umount', ['--lazy', directory])
  fs.rmSync(directory, { recursive: true, force: true })
}

/** The data directory of a first start. At the end of the test, processes in it are ended. */
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
