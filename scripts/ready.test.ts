import { spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** npm is not ours: this one writes down how it was called, and "installs" a Vite that writes one page. */
const NPM = `#!/bin/sh
echo "$*" >> npm-calls
if [ -e npm-refuses ] && [ "$1" = ci ]; then echo 'npm error code EUSAGE' >&2; exit 1; fi
if [ -e npm-breaks ]; then exit 1; fi
if [ -e npm-stalls ]; then rm npm-stalls; echo 'npm error code ETIMEDOUT' >&2; exit 1; fi
sleep 0.3
rm -rf node_modules
mkdir -p node_modules/vite/bin
cp vite-for-test.mjs node_modules/vite/bin/vite.js
`
const VITE = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
appendFileSync('vite-calls', 'build\\n')
if (existsSync('vite-breaks')) process.exit(1)
writeFileSync(process.argv[process.argv.indexOf('--outDir') + 1] + '/index.html', 'built')
`

function bareClone(): string {
  const clone = mkdtempSync(path.join(tmpdir(), 'portal ready '))
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  cpSync(new URL('./ready.mjs', import.meta.url), path.join(clone, 'scripts/ready.mjs'))
  cpSync(new URL('./ready/', import.meta.url), path.join(clone, 'scripts/ready'), { recursive: true })
  mkdirSync(path.join(clone, 'bin'))
  mkdirSync(path.join(clone, 'web'))
  writeFileSync(path.join(clone, 'bin/npm'), NPM)
  chmodSync(path.join(clone, 'bin/npm'), 0o755)
  writeFileSync(path.join(clone, 'vite-for-test.mjs'), VITE)
  writeFileSync(path.join(clone, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(clone, 'package-lock.json'), '{}')
  writeFileSync(path.join(clone, 'web/main.tsx'), 'first')
  return clone
}

function ready(clone: string, thing?: string, more = {}): Promise<{ code: number | null; said: string }> {
  const env = { ...process.env, PATH: `${path.join(clone, 'bin')}:${process.env.PATH}`, ...more }
  const child = spawn(process.execPath, [path.join(clone, 'scripts/ready.mjs'), ...(thing ? [thing] : [])], { env })
  let said = ''
  child.stdout.on('data', (text) => (said += text))
  child.stderr.on('data', (text) => (said += text))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })))
}

function calls(clone: string, tool: 'npm' | 'vite'): string[] {
  const file = path.join(clone, `${tool}-calls`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

const CI = 'ci --include=dev --no-audit --no-fund --loglevel=error --fetch-timeout=45000 --fetch-retries=4'

test('a bare clone is installed and built once, and a second run does and prints nothing', async () => {
  const clone = bareClone()
  expect(await ready(clone, 'web')).toEqual({
    code: 0,
    said: 'Installing the dependencies ...\nBuilding the web application ...\n',
  })
  expect(await ready(clone, 'web')).toEqual({ code: 0, said: '' })
  expect(calls(clone, 'npm')).toEqual([CI])
  expect(calls(clone, 'vite')).toEqual(['build'])
  expect(readFileSync(path.join(clone, 'dist/web/index.html'), 'utf8')).toBe('built')
})

test('what "npm ci" has installed is not installed again, unless something is missing or has another version', async () => {
  const lock = (packages: object) => JSON.stringify({ packages: { '': { name: 'portal' }, ...packages } })
  const vite = { 'node_modules/vite': { version: '1.0.0', dev: true } }
  const all = { ...vite, 'node_modules/elsewhere': { version: '1.0.0', optional: true } }
  const installed: [object, string[]][] = [
    [vite, []],
    [{}, [CI]],
    [{ 'node_modules/vite': { version: '2.0.0', dev: true } }, [CI]],
  ]
  for (const [packages, installs] of installed) {
    const clone = bareClone()
    writeFileSync(path.join(clone, 'package-lock.json'), lock(all))
    mkdirSync(path.join(clone, 'node_modules'))
    writeFileSync(path.join(clone, 'node_modules/.package-lock.json'), lock(packages))
    await ready(clone)
    expect(await ready(clone)).toEqual({ code: 0, said: '' })
    expect(calls(clone, 'npm')).toEqual(installs)
  }
})

test('a changed lockfile installs again, a changed source builds again, a changed test does not', async () => {
  const clone = bareClone()
  await ready(clone, 'web')
  writeFileSync(path.join(clone, 'web/main.test.ts'), 'new')
  expect((await ready(clone, 'web')).said).toBe('')
  writeFileSync(path.join(clone, 'web/main.tsx'), 'second')
  expect((await ready(clone, 'web')).said).toBe('Building the web application ...\n')
  writeFileSync(path.join(clone, 'package-lock.json'), '{ "changed": true }')
  expect((await ready(clone, 'web')).said).toBe('Installing the dependencies ...\nBuilding the web application ...\n')
})

test('runs at the same time on one checkout take turns: one installs and builds for all', async () => {
  const clone = bareClone()
  const runs = await Promise.all([ready(clone, 'web'), ready(clone, 'web'), ready(clone, 'web')])
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(calls(clone, 'npm')).toEqual([CI])
  expect(calls(clone, 'vite')).toEqual(['build'])
})

test('the lock of a run that was killed is taken over', async () => {
  const clone = bareClone()
  mkdirSync(path.join(clone, 'dist/.ready-lock'), { recursive: true })
  writeFileSync(path.join(clone, 'dist/.ready-lock/pid'), '4194304')
  expect((await ready(clone)).code).toBe(0)
  expect(existsSync(path.join(clone, 'dist/.ready-lock'))).toBe(false)
})

test('a registry that lacks packages of other platforms gets a plain install that keeps the lockfile', async () => {
  const clone = bareClone()
  writeFileSync(path.join(clone, 'npm-refuses'), '')
  expect((await ready(clone)).code).toBe(0)
  expect(calls(clone, 'npm')).toEqual([CI, CI.replace('ci', 'install --no-save')])
})

test('an install that fails because of the network is retried once', async () => {
  const clone = bareClone()
  writeFileSync(path.join(clone, 'npm-stalls'), '')
  expect(await ready(clone)).toMatchObject({
    code: 0,
    said: expect.stringContaining('The registry did not answer: installing once more ...'),
  })
  expect(calls(clone, 'npm')).toEqual([CI, CI])
})

test('a failed install or build is reported, keeps the served build, and is retried next time', async () => {
  const clone = bareClone()
  writeFileSync(path.join(clone, 'npm-breaks'), '')
  expect(await ready(clone)).toMatchObject({ code: 1, said: expect.stringContaining('Not ready: the dependencies') })
  rmSync(path.join(clone, 'npm-breaks'))
  await ready(clone, 'web')

  writeFileSync(path.join(clone, 'vite-breaks'), '')
  writeFileSync(path.join(clone, 'web/main.tsx'), 'third')
  expect(await ready(clone, 'web')).toMatchObject({ code: 1, said: expect.stringContaining('Not ready: the web') })
  expect(readFileSync(path.join(clone, 'dist/web/index.html'), 'utf8')).toBe('built')
  rmSync(path.join(clone, 'vite-breaks'))
  expect(await ready(clone, 'web')).toEqual({ code: 0, said: 'Building the web application ...\n' })
})

test('a missing browser and an unknown argument are refused by name', async () => {
  const clone = bareClone()
  const browser = path.join(clone, 'no-browser')
  const named = await ready(clone, 'browser', { CHROMIUM: browser })
  expect(named.said).toContain(`CHROMIUM names ${browser}, which is not there`)
  expect((await ready(clone, 'wbe')).said).toContain('there is no such thing to make ready: wbe')
})
