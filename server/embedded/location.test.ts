import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findBinaries, packageFolder } from '#server/embedded/binaries.ts'
import { canEnter, isRoot, postgresUser } from '#server/embedded/server-user.ts'
import { startEmbedded } from '#server/embedded/supervisor.ts'
import { WriteLoadProcess } from '#server/testing/crashes/write-load-process.ts'
import {
  emptyDataDirectory,
  endServerIn,
  usedDataDirectory,
  walkableDirectory,
} from '#server/testing/walkable-directory.ts'

const quietly = () => {}

/** A directory that only its owner can enter, such as root's home or a folder from mkdtemp. */
function closedDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-closed-'))
  onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }))
  return directory
}

test.each([
  ['too long for a socket address', 'a-directory-with-quite-a-long-name/'.repeat(5)],
  ['with a comma and spaces', 'Licenses, north and south'],
])('a data directory %s works, and its socket is closed to others', async (_, name) => {
  const dataDir = path.join(emptyDataDirectory('path'), name)
  onTestFinished(() => endServerIn(path.join(dataDir, 'postgres')))
  const embedded = await startEmbedded(dataDir, quietly)
  onTestFinished(() => fs.rmSync(embedded.connection.host, { recursive: true, force: true }))
  expect(embedded.connection.host).toMatch(/^\/tmp\/licensing-portal-[0-9a-f]{16}$/)
  expect(fs.statSync(embedded.connection.host).mode & 0o777).toBe(0o700)
  await embedded.stop()

  fs.chmodSync(embedded.connection.host, 0o777)
  await expect(startEmbedded(dataDir, quietly)).rejects.toThrow('belongs to somebody else')
})

test.runIf(isRoot())(
  'as root in a folder of mode 0700, the data is kept in a folder that user postgres can reach',
  async () => {
    const dataDir = path.join(closedDirectory(), 'data')
    const lines: string[] = []
    const first = await startEmbedded(dataDir, (line) => lines.push(line))
    onTestFinished(() => fs.rmSync(first.where, { recursive: true, force: true }))
    await first.stop()
    expect(first.relocated).toBe(true)
    expect(first.where).toMatch(/^\/var\/lib\/licensing-portal\/[0-9a-f]{24}$/)
    expect(lines).toContain(`The data is kept in ${first.where}, because user postgres cannot enter ${dataDir}`)
    expect(fs.readdirSync(dataDir).sort()).toEqual(['postgres.log', 'postgres.password', 'postgres.place'])

    const second = await startEmbedded(dataDir, quietly)
    await second.stop()
    expect(second.where).toBe(first.where)

    fs.rmSync(dataDir, { recursive: true })
    const fresh = await startEmbedded(dataDir, quietly)
    onTestFinished(() => fs.rmSync(fresh.where, { recursive: true, force: true }))
    await fresh.stop()
    expect(fresh.where).not.toBe(first.where)
  },
)

test.runIf(isRoot())(
  'data that user postgres can no longer reach is never silently replaced by an empty database',
  async () => {
    const dataDir = usedDataDirectory('shut')
    fs.chmodSync(path.dirname(dataDir), 0o700)
    await expect(startEmbedded(dataDir, quietly)).rejects.toThrow(`the database in ${dataDir}/postgres cannot reach it`)
  },
)

/** An ordinary user can only run a checkout that it can enter. */
const isOpenCheckout = () => isRoot() && canEnter(postgresUser(), process.cwd())

test.runIf(isOpenCheckout())(
  'without root the portal runs the database as itself, and root can serve it later',
  async () => {
    const user = postgresUser()
    const dataDir = emptyDataDirectory('plain')
    fs.chownSync(path.dirname(dataDir), user.uid, user.gid)
    const portal = new WriteLoadProcess(dataDir, 1, user)
    await portal.isUp()
    await portal.hasWritten(10)
    await portal.end('SIGTERM')
    fs.rmSync(path.join(dataDir, 'postgres.log'))

    const asRoot = await startEmbedded(dataDir, quietly)
    await asRoot.stop()
    expect(fs.statSync(path.join(dataDir, 'postgres.log')).uid).toBe(user.uid)
  },
)

test.runIf(isRoot())('binaries that the user cannot reach are copied once, whole and open to that user', () => {
  const root = walkableDirectory('shared')
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  const folder = copyOfPackage()
  const lines: string[] = []
  const first = findBinaries(postgresUser(), (line) => lines.push(line), folder, root)
  const second = findBinaries(postgresUser(), quietly, folder, root)
  expect(first.postgres.startsWith(path.join(root, 'postgresql-18.'))).toBe(true)
  expect(second).toEqual(first)
  expect(lines).toHaveLength(1)
  expect(fs.readdirSync(root)).toHaveLength(1)
})

test('creates the missing symlinks of libraries when install scripts are off', () => {
  const folder = copyOfPackage()
  const libraries = path.join(folder, 'native/lib')
  const links = fs.readdirSync(libraries).filter((name) => fs.lstatSync(path.join(libraries, name)).isSymbolicLink())
  for (const name of links) fs.rmSync(path.join(libraries, name))
  expect(findBinaries(undefined, quietly, folder).majorVersion).toBe('18')
  expect(fs.readdirSync(libraries)).toEqual(expect.arrayContaining(links))
})

function copyOfPackage(): string {
  const folder = path.join(closedDirectory(), 'package')
  fs.cpSync(packageFolder(), folder, { recursive: true, verbatimSymlinks: true })
  return folder
}
