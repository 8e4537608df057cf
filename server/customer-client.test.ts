import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activeEntitlementList } from '#contract/entitlements/entitlement-list.ts'
import { giveApiToken } from '#server/testing/api-tokens.ts'
import { type Portal, startPortal } from '#server/testing/portal.ts'

/** The programs of examples/customer-client, against the real app over HTTP. */
const run = promisify(execFile)
const FOLDER = path.resolve('examples/customer-client')
const has = (program: string) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let portal: Portal
let env: Record<string, string>
let output: string
beforeAll(async () => {
  portal = await startPortal()
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { token } = await giveApiToken(portal, { scopes: ['entitlements:read', 'activations:read', 'usage:read'] })
  const { port } = portal.app.server.address() as AddressInfo
  env = { PATH: process.env.PATH ?? '', PORTAL_URL: `http://127.0.0.1:${port}`, TOKEN: token, CUSTOMER: '100001' }
  output = fs.mkdtempSync(path.join(os.tmpdir(), 'customer-client-'))
})
afterAll(async () => {
  fs.rmSync(output, { recursive: true, force: true })
  await portal.close()
})

const filesIn = (folder: string) => fs.readdirSync(folder).sort()
const read = (folder: string, name: string) => fs.readFileSync(path.join(folder, name), 'utf8')

/** Runs a program; its lines, and the folder that it filled. */
async function runProgram(program: string, ...parts: string[]) {
  const folder = path.join(output, `of-${path.basename(parts[0] ?? '')}`)
  const { stdout } = await run(program, [...parts, folder], { env })
  return { lines: stdout.trim().split('\n'), folder }
}

async function countEnding(): Promise<number> {
  const ada = await portal.as('ada.admin@aerodyne.example')
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const criterion = { name: 'EndDate', method: 'DAYRANGE', value: [day(0), day(90)] }
  const { body } = await ada(activeEntitlementList.count, {
    body: { customerNumber: '100001', filter: { condition: 'ALL', criteria: [criterion] } },
  })
  return body.data as number
}

function expectFolder(folder: string): void {
  const licenses = filesIn(folder).filter((name) => name.endsWith('.lic'))
  expect(licenses.length).toBeGreaterThan(1)
  for (const name of licenses) expect(read(folder, name)).toMatch(/^SERVER /m)
  const [usage = ''] = filesIn(folder).filter((name) => name.startsWith('usage-'))
  expect(read(folder, usage).split('\n').length).toBeGreaterThan(2)
}

test('the program in TypeScript prints what ends and saves license files and usage', async () => {
  const { lines, folder } = await runProgram(process.execPath, path.join(FOLDER, 'client.ts'))
  expect(lines).toHaveLength(await countEnding())
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \S+ /)
  expectFolder(folder)
})

test.skipIf(!has('python3'))('the program in Python does the same in 30 lines', async () => {
  const { lines, folder } = await runProgram('python3', path.join(FOLDER, 'client.py'))
  expect(lines).toHaveLength(await countEnding())
  expectFolder(folder)
  const code = read(FOLDER, 'client.py')
    .split('\n')
    .filter((line) => line.trim() !== '')
  expect(code.length).toBeLessThanOrEqual(30)
})

test.skipIf(!has('curl'))(
  'the program with curl prints a table and saves the same files as the one in TypeScript',
  async () => {
    const { lines, folder } = await runProgram('sh', path.join(FOLDER, 'client.sh'))
    // The first line has the names of the columns.
    expect(lines).toHaveLength(1 + (await countEnding()))
    expectFolder(folder)
    const licenses = filesIn(folder).filter((name) => name.endsWith('.lic'))
    const { folder: saved } = await runProgram(process.execPath, path.join(FOLDER, 'client.ts'))
    expect(licenses).toEqual(filesIn(saved).filter((name) => name.endsWith('.lic')))
    for (const name of licenses) expect(read(folder, name)).toBe(read(saved, name))
  },
)

test('a program with a wrong token says why it stops', async () => {
  const failed = run(process.execPath, [path.join(FOLDER, 'client.ts'), output], { env: { ...env, TOKEN: 'lpc_x' } })
  await expect(failed).rejects.toThrow('This token is not valid')
})

test('the types of the client are those of the OpenAPI document', async () => {
  const { body } = await portal.app.inject({
    url: '/api/docs/json',
    headers: { authorization: `Bearer ${env.TOKEN}` },
  })
  const document = path.join(output, 'openapi.json')
  fs.writeFileSync(document, body)
  const { stdout } = await run(process.execPath, [path.join(FOLDER, 'generate-types.ts'), document])
  // The file is formatted.
  const squeezed = (text: string) => text.replaceAll(/[\s;()|'"]+/g, '')
  expect(squeezed(read(FOLDER, 'portal-api.ts'))).toBe(squeezed(stdout))
})
