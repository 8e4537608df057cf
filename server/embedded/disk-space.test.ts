import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isDiskFull, orDiskFull } from '#server/embedded/disk-space.ts'
import { isRoot } from '#server/embedded/server-user.ts'
import { StartupError } from '#server/embedded/startup-error.ts'
import { CHILD_ENVIRONMENT } from '#server/testing/child-environment.ts'
import { copyPristine, removeDirectory, walkableDirectory } from '#server/testing/walkable-directory.ts'

test.each([
  ['Node', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ['PostgreSQL', Object.assign(new Error('could not extend file'), { code: '53100' })],
  ['a migration', new Error('migration 1 failed', { cause: Object.assign(new Error('x'), { code: '53100' }) })],
  ['initdb', new StartupError('initdb failed: could not write to file "pg_wal/1": No space left on device')],
])('a full disk is recognized in what %s says', (_, error) => {
  expect(isDiskFull(error)).toBe(true)
  const refused = orDiskFull(error, 'DATA_DIR /data') as Error
  expect(refused).toBeInstanceOf(StartupError)
  expect(refused.message).toMatch(/^DATA_DIR \/data: the disk is full, no space left on device \(.+\)$/)
})

test('returns any other error unchanged', () => {
  const error = new Error('relation "x" does not exist')
  expect(orDiskFull(error, 'DATA_DIR /data')).toBe(error)
})

/** A file system of this many megabytes. */
function smallDisk(megabytes: number): string {
  const directory = walkableDirectory('disk')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', directory])
  onTestFinished(() => removeDirectory(directory))
  return directory
}

function canMount(): boolean {
  if (!isRoot() || process.platform !== 'linux') return false
  const directory = walkableDirectory('mount')
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory])
  removeDirectory(directory)
  return status === 0
}

async function startOn(dataDir: string, port: string) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...CHILD_ENVIRONMENT, DATA_DIR: dataDir, PORT: port, DEMO_USAGE: '2000' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, errors }
}

/** Processes that have the directory as working directory, or have a file of it open. */
function processesIn(directory: string): string[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
      } catch {
        return false
      }
    })
}

const onlyAsRoot = test.runIf(canMount())

onlyAsRoot.each([
  // Full in the middle of initdb, of the migrations and of the demo data.
  [8, '18321'],
  [45, '18322'],
  [60, '18323'],
])(
  'a first start on a disk of %i MB ends with one line, and leaves nothing running (needs root who may mount)',
  async (megabytes, port) => {
    const dataDir = path.join(smallDisk(megabytes), 'data')
    const { code, errors } = await startOn(dataDir, port)
    expect(errors.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        `^The portal did not start: DATA_DIR ${dataDir}: the disk is full, no space left on device`,
      ),
    ])
    expect(code).toBe(1)
    expect(processesIn(dataDir)).toEqual([])
  },
)

onlyAsRoot('as root who may mount: a later start on a full disk does not wait for a minute', async () => {
  const disk = smallDisk(90)
  const dataDir = path.join(disk, 'data')
  copyPristine(dataDir)
  expect(() => fs.writeFileSync(path.join(disk, 'filler'), Buffer.alloc(90 * 1024 * 1024))).toThrow('ENOSPC')
  const begun = performance.now()
  const { code, errors } = await startOn(dataDir, '18324')
  expect(errors).toContain('the disk is full')
  expect(errors.trimEnd().split('\n')).toHaveLength(1)
  expect(code).toBe(1)
  expect(performance.now() - begun).toBeLessThan(55_000)
  expect(processesIn(dataDir)).toEqual([])
})
