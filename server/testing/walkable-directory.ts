import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { postmasterPid, stopPostmaster } from '#server/embedded/postmaster.ts'
import { isRunning } from '#server/embedded/process-state.ts'

const PREFIX = 'portal-test-'

const ENOUGH_BYTES = 4 * 1024 ** 3
/** In memory if there is enough of it: a copy of a database takes a tenth of the CPU that it takes on a disk. */
const ROOT = hasRoom('/dev/shm') ? '/dev/shm' : os.tmpdir()

function hasRoom(directory: string): boolean {
  try {
    fs.accessSync(directory, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(directory)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}

/** A directory of this test run that user postgres can enter; leftovers of killed runs are removed. */
export function walkableDirectory(purpose: string): string {
  removeLeftovers()
  const directory = fs.mkdtempSync(path.join(ROOT, `${PREFIX}${process.pid}-${purpose}-`))
  fs.chmodSync(directory, 0o755)
  return directory
}

function removeLeftovers(): void {
  for (const name of fs.readdirSync(ROOT)) {
    const maker = name.startsWith(PREFIX) && Number.parseInt(name.slice(PREFIX.length), 10)
    if (!maker || isRunning(maker)) continue
    try {
      removeDirectory(path.join(ROOT, name))
    } catch {
      // The directory belongs to another user, or another run is removing it.
    }
  }
}

/** Also a directory on which a test mounted a file system. */
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
