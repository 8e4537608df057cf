import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Module } from '#server/modules/module.ts'
import { MODULES } from '#server/modules/modules.ts'
import { type BrokenRule, checkImports } from './import-rules.ts'

const PACKAGES = [
  '@mantine/form',
  '@tanstack/react-table',
  'big.js',
  'fastify',
  'fast-check',
  'pg',
  'pg-boss',
  'react',
  'typebox',
  'vitest',
]

/** A file of the module that imports one that the module may not use. */
function reachingUp({ name, mayUse }: Module): [string, string, string] {
  const other = MODULES.find((one) => !one.isShared && one.name !== name && !mayUse.includes(one.name))?.name ?? ''
  return [
    `${name}-reaches-down`,
    `server/modules/${name}/planted-reach.ts`,
    `#server/modules/${other}/${other}.public.ts`,
  ]
}

/** Imports that the rules allow: file → what it imports. */
const ALLOWED: Record<string, string[]> = {
  'domain/money/decimal.ts': ['big.js'],
  'domain/money/decimal.test.ts': ['vitest', 'fast-check', 'node:fs', '#domain/money/decimal.ts'],
  'contract/accounts/list-accounts.ts': ['typebox', '#domain/money/decimal.ts'],
  'server/app.ts': ['fastify', '#server/modules/fsa/fsa.module.ts'],
  'server/db/database.ts': ['pg', 'node:path'],
  'server/tasks/job-queue.ts': ['pg-boss'],
  'server/modules/accounts/accounts.public.ts': ['#server/modules/accounts/accounts.queries.ts'],
  'server/modules/accounts/accounts.queries.ts': ['#server/modules/accounts/accounts.mapping.ts'],
  'server/modules/accounts/accounts.mapping.ts': ['#contract/accounts/list-accounts.ts'],
  'server/modules/accounts/rename-account.ts': ['#domain/money/decimal.ts'],
  'server/modules/audit/audit.public.ts': ['#domain/money/decimal.ts'],
  'server/modules/staff/staff.public.ts': ['#domain/money/decimal.ts'],
  'server/operations/route.ts': ['#domain/money/decimal.ts'],
  'server/modules/fsa/fsa.module.ts': ['#server/modules/fsa/place-order.ts'],
  'server/modules/fsa/place-order.ts': [
    '#server/modules/accounts/accounts.public.ts',
    '#server/modules/audit/audit.public.ts',
  ],
  'web/app/router.tsx': ['react', '#web/modules/fsa/order.page.tsx', '#web/modules/elastic/usage.page.tsx'],
  'web/modules/fsa/order.page.tsx': ['#web/table/data-table.tsx', '#contract/accounts/list-accounts.ts'],
  'web/modules/elastic/usage.page.tsx': ['#domain/money/decimal.ts'],
  'web/table/data-table.tsx': ['react', '@tanstack/react-table'],
  'web/form/use-form.ts': ['react', '@mantine/form'],
  'e2e/journeys/order.spec.ts': ['#domain/money/decimal.ts'],
}

/** One file per planted violation: [broken rule, file, what it imports, what is found if it differs]. */
const PLANTED: [rule: string, file: string, imports: string, found?: string][] = [
  ['domain-is-pure', 'domain/planted/schema.ts', 'typebox'],
  ['domain-is-pure', 'domain/planted/wire.ts', '#contract/accounts/list-accounts.ts'],
  ['domain-tests-are-pure', 'domain/planted/rule.test.ts', 'fastify'],
  ['contract-is-schemas', 'contract/planted/route.ts', 'fastify'],
  ['contract-is-schemas', 'contract/planted/database.ts', '#server/db/database.ts'],
  ['node-stays-on-the-server', 'domain/planted/clock.ts', 'node:fs', 'fs'],
  ['node-stays-on-the-server', 'contract/planted/file.ts', 'node:fs', 'fs'],
  ['node-stays-on-the-server', 'web/lib/planted.ts', 'node:fs', 'fs'],
  ['server-knows-no-screen', 'server/doors/planted.ts', '#web/table/data-table.tsx'],
  ['server-knows-no-screen', 'server/doors/planted-journey.ts', '#e2e/journeys/order.spec.ts'],
  ['web-knows-no-server', 'web/lib/planted-config.ts', '#server/db/database.ts'],
  ['web-reads-no-schema', 'web/lib/planted-schema.ts', 'typebox'],
  ['module-has-a-place', 'server/modules/novelty/start.ts', '#domain/money/decimal.ts'],
  ['modules-meet-in-public', 'server/modules/elastic/planted.ts', '#server/modules/accounts/rename-account.ts'],
  ['modules-meet-in-public', 'server/modules/elastic/sneak.ts', '#server/modules/accounts/fsa.public.ts'],
  ['db-points-down', 'server/db/planted.ts', '#server/operations/route.ts'],
  ['http-points-down', 'server/http/planted.ts', '#server/operations/route.ts'],
  ['audit-points-down', 'server/audit/planted.ts', '#server/operations/route.ts'],
  ['turns-points-down', 'server/turns/planted.ts', '#server/operations/route.ts'],
  ['lists-points-down', 'server/lists/planted.ts', '#server/operations/route.ts'],
  ['identity-points-down', 'server/identity/planted.ts', '#server/operations/route.ts'],
  ['operations-points-down', 'server/operations/planted.ts', '#server/modules/accounts/accounts.public.ts'],
  ['kits-know-no-module', 'server/outbox/planted.ts', '#server/modules/accounts/accounts.public.ts'],
  ...MODULES.map(reachingUp),
  [
    'queries-are-the-bottom',
    'server/modules/accounts/planted.queries.ts',
    '#server/modules/accounts/rename-account.ts',
  ],
  ['queries-are-the-bottom', 'server/modules/fsa/planted.queries.ts', '#server/modules/fsa/place-order.ts'],
  ['queries-are-the-bottom', 'server/modules/fsa/orders/planted.queries.ts', '#server/modules/fsa/place-order.ts'],
  ['modules-are-the-top', 'server/modules/fsa/cancel-order.ts', '#server/modules/fsa/fsa.module.ts'],
  ['web-modules-apart', 'web/modules/elastic/planted.page.tsx', '#web/modules/fsa/order.page.tsx'],
  ['web-app-is-the-top', 'web/modules/elastic/planted-link.tsx', '#web/app/menu.tsx'],
  ['web-app-is-the-top', 'web/ui/planted-link.tsx', '#web/app/menu.tsx'],
  ['web-app-is-the-top', 'web/form/planted-link.tsx', '#web/app/menu.tsx'],
  ['web-parts-know-no-module', 'web/parts/planted.tsx', '#web/modules/fsa/order.page.tsx'],
  ['web-ui-knows-no-module', 'web/ui/planted.tsx', '#web/modules/fsa/order.page.tsx'],
  ['decimals-behind-their-door', 'server/doors/planted-sum.ts', 'big.js'],
  ['web-ui-knows-no-module', 'web/table/planted.tsx', '#web/modules/fsa/order.page.tsx'],
  ['table-behind-its-door', 'web/modules/fsa/planted.page.tsx', '@tanstack/react-table'],
  ['web-ui-knows-no-module', 'web/form/planted.tsx', '#web/modules/fsa/order.page.tsx'],
  ['form-behind-its-door', 'web/modules/fsa/planted-form.tsx', '@mantine/form'],
  ['database-behind-its-door', 'server/modules/fsa/fsa.queries.ts', 'pg'],
  ['portals-need-no-tests', 'server/modules/elastic/planted-sample.ts', '#server/modules/elastic/elastic.samples.ts'],
  ['no-unresolved', 'server/doors/planted-typo.ts', '#server/doors/maler.ts', '#server/doors/maler.ts'],
  ['no-catch-all-folders', 'server/doors/planted-use.ts', '#server/utils/text.ts'],
  ['no-catch-all-folders', 'web/ui/planted-use.ts', '#web/ui/helpers/text.ts'],
  ['no-catch-all-folders', 'web/lib/planted-use.ts', '#web/lib/common/text.ts'],
  ['no-barrels', 'server/doors/planted-barrel.ts', '#server/doors/index.ts'],
]

/** Files that the planted ones import. They break no rule themselves. */
const TARGETS = [
  ...MODULES.map(({ name }) => `server/modules/${name}/${name}.public.ts`).filter((file) => !(file in ALLOWED)),
  'server/modules/accounts/fsa.public.ts',
  'server/modules/elastic/elastic.samples.ts',
  'server/utils/text.ts',
  'server/doors/index.ts',
  'web/app/menu.tsx',
  'web/ui/helpers/text.ts',
  'web/lib/common/text.ts',
]

const CYCLE = { 'domain/planted/hen.ts': '#domain/planted/egg.ts', 'domain/planted/egg.ts': '#domain/planted/hen.ts' }

let tree: string
let broken: BrokenRule[]

beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), 'import-rules-'))
  plant('package.json', JSON.stringify({ name: 'planted', type: 'module', imports: subpaths() }))
  for (const name of PACKAGES) plantPackage(name)
  for (const [file, imports] of Object.entries(ALLOWED)) plantModule(file, imports)
  for (const [, file, imports] of PLANTED) plantModule(file, [imports])
  for (const file of TARGETS) plantModule(file, [])
  for (const [file, imports] of Object.entries(CYCLE)) plantModule(file, [imports])
  broken = (await checkImports(tree)).broken
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

test.for(PLANTED)('%s is found in %s, which imports %s', ([rule, file, imports, found]) => {
  const here = broken.filter(({ from }) => from === file)
  expect(here.map(({ rule, to }) => ({ rule, to }))).toEqual([{ rule, to: found ?? resolved(imports) }])
  expect(here[0]?.instead).toMatch(/\w{3,}.*[.]$/)
})

test('a cycle is found, of types alone as well, and shown as a whole', () => {
  const cycles = broken.filter(({ rule }) => rule === 'no-cycles')
  expect(cycles).toHaveLength(1)
  expect(cycles[0]?.to.split(' → ').sort()).toEqual(Object.keys(CYCLE).sort())
})

test('every rule is broken by at least one planted file', async () => {
  const { rules } = await checkImports(tree)
  expect(new Set(broken.map(({ rule }) => rule))).toEqual(new Set(rules))
})

test('imports that the architecture allows pass', () => {
  expect(broken.filter(({ from }) => from in ALLOWED)).toEqual([])
})

test('a tree without sources is reported as empty', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'import-rules-'))
  mkdirSync(join(empty, 'domain'))
  expect(await checkImports(empty)).toMatchObject({ modules: 0, broken: [] })
  rmSync(empty, { recursive: true })
})

function plant(file: string, text: string) {
  mkdirSync(join(tree, dirname(file)), { recursive: true })
  writeFileSync(join(tree, file), text)
}

function plantPackage(name: string) {
  plant(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
  plant(`node_modules/${name}/index.js`, '')
}

/** Type imports, because the rules must see them as well as imports of values. */
function plantModule(file: string, imports: string[]) {
  plant(file, `${imports.map((from) => `import type {} from '${from}'`).join('\n')}\nexport const planted = true\n`)
}

function subpaths() {
  return Object.fromEntries(['domain', 'contract', 'server', 'web', 'e2e'].map((room) => [`#${room}/*`, `./${room}/*`]))
}

function resolved(specifier: string): string {
  return specifier.startsWith('#') ? specifier.slice(1) : `node_modules/${specifier}/index.js`
}
