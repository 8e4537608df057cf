import fs from 'node:fs'
import os from 'node:os'

/** What the names of folders with test data begin with. The process id follows, by which leftovers are found. */
export const NAME_OF_TEST_DATA = 'portal-test-'

const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * Where tests keep their databases. In memory if there is enough of it: a copy of a database takes a tenth of the CPU that
 * it takes on a disk, and no commit waits for a disk.
 */
export const TEST_DATA = hasRoom('/dev/shm') ? '/dev/shm' : os.tmpdir()

function hasRoom(directory: string): boolean {
  try {
    fs.accessSync(directory, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(directory)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}
