import fs from 'node:fs'
import path from 'node:path'

/** Writes a small file whole and on disk, or leaves the one that is there: of two writers at once, the first wins. */
export function createDurably(file: string, text: string): void {
  const fresh = `${file}.new-${process.pid}`
  fs.writeFileSync(fresh, text, { mode: 0o600, flush: true })
  try {
    fs.linkSync(fresh, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(fresh, { force: true })
  }
  syncDirectory(path.dirname(file))
}

/** A rename or a new name survives a power cut only after its directory is synced. */
export function syncDirectory(directory: string): void {
  const handle = fs.openSync(directory, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
