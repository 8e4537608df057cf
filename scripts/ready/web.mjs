import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compressBelow } from './compress.mjs'
import { projectNode, run } from './run.mjs'

const BUILT = 'dist/web'
const SOURCES = ['web', 'domain', 'contract', 'docs/guide', 'scripts/ready', 'vite.config.ts', 'package-lock.json']

export function isWebReady() {
  try {
    return existsSync(`${BUILT}/index.html`) && readFileSync(`${BUILT}/.built`, 'utf8') === hashOfSources()
  } catch {
    return false
  }
}

/** Builds into a temporary folder and moves the result into place, so that half a build is never served. */
export async function buildWeb() {
  console.log('Building the web application ...')
  const hash = hashOfSources()
  const fresh = `${BUILT}.new`
  const old = `${BUILT}.old`
  for (const leftover of [fresh, old]) rmSync(leftover, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  const vite = [
    'node_modules/vite/bin/vite.js',
    'build',
    '--outDir',
    resolve(fresh),
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ]
  const { code } = await run(projectNode(), vite)
  if (code !== 0) throw new Error('the web application could not be built')
  await compressBelow(fresh)
  writeFileSync(join(fresh, '.built'), hash)
  if (existsSync(BUILT)) renameSync(BUILT, old)
  renameSync(fresh, BUILT)
  rmSync(old, { recursive: true, force: true })
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesBelow)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function filesBelow(place) {
  if (!existsSync(place)) return []
  if (statSync(place).isFile()) return [place]
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesBelow(join(place, name)))
    .filter((file) => !/\.test\.tsx?$/.test(file))
}
