import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const LOCK = 'dist/.ready-lock'
const OWNER = `${LOCK}/pid`
/** No install and no build takes this long: the process id in an older lock belongs to another process by now. */
const MAX_WORK = 30 * 60_000

/** Two runs on one checkout take turns; the lock of a run that was killed is taken over. */
export async function whileLocked(work) {
  let hasWaited = false
  while (!tryLock()) {
    if (!hasWaited) console.log('Waiting for another run that is making this checkout ready ...')
    hasWaited = true
    await sleep(200)
  }
  try {
    return await work()
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

/** One rename creates the lock together with its owner's process id, so a lock without an owner is never seen. */
function tryLock() {
  const mine = `${LOCK}.${process.pid}`
  mkdirSync(mine, { recursive: true })
  writeFileSync(`${mine}/pid`, String(process.pid))
  try {
    renameSync(mine, LOCK)
    return true
  } catch {
    rmSync(mine, { recursive: true, force: true })
    removeIfStale()
    return false
  }
}

function removeIfStale() {
  const owner = ownerOf(OWNER)
  if (owner === undefined || isAlive(owner)) return
  // Only one of several waiting runs can move the stale lock. If it was replaced in between, the new owner gets it
  // back.
  const aside = `${LOCK}.stale-${process.pid}`
  try {
    renameSync(LOCK, aside)
    if (ownerOf(`${aside}/pid`) !== owner) renameSync(aside, LOCK)
  } catch {
    // Another run was faster: the next iteration sees its lock.
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    if (Date.now() - statSync(OWNER).mtimeMs > MAX_WORK) return false
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
