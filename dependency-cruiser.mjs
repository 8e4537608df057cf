import { MODULES } from './server/modules/modules.ts'

/**
 * Which way imports point. Each rule's comment is what a developer reads when it is broken, so it says what to do
 * instead. Every rule is tried out against a planted violation in scripts/test/import-rules.test.ts.
 */

const TEST = '[.]test[.]tsx?$'
const SAMPLES = '[.]samples[.]ts$'

/** What every request passes, from the bottom up: each folder may import those before it. */
const SERVER_FOLDERS = ['db', 'http', 'audit', 'turns', 'lists', 'identity', 'operations']

const SHARED_MODULES = MODULES.filter(({ isShared }) => isShared).map(({ name }) => name)

const npm = (/** @type {string} */ name) => `(^|/)node_modules/(@types/)?${name}/`
const anyOf = (/** @type {readonly string[]} */ names) => `(${names.join('|')})`

/** @type {(name: string, comment: string, from: object, to: object) => object} */
const never = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

const rooms = [
  never(
    'domain-is-pure',
    'domain holds rules from values to values. Pass what you need as an argument, or move this to server/ or web/.',
    { path: '^domain/', pathNot: TEST },
    { pathNot: ['^domain/', npm('big[.]js'), npm('diff'), npm('ipaddr[.]js')], dependencyTypesNot: ['core'] },
  ),
  never(
    'domain-tests-are-pure',
    'A domain test needs only domain, vitest and fast-check. What needs more is a test of the server or the browser.',
    { path: `^domain/.*${TEST}` },
    {
      pathNot: ['^domain/', npm('big[.]js'), npm('ipaddr[.]js'), npm('vitest'), npm('fast-check')],
      dependencyTypesNot: ['core'],
    },
  ),
  never(
    'contract-is-schemas',
    'contract says what goes over the wire: domain, contract and typebox only. What acts on it belongs in server/ or web/.',
    { path: '^contract/', pathNot: TEST },
    { pathNot: ['^(domain|contract)/', npm('typebox')], dependencyTypesNot: ['core'] },
  ),
  never(
    'node-stays-on-the-server',
    'This runs in a browser as well. Take time, files and randomness as arguments, or do the work in server/.',
    { path: '^(domain|contract|web)/', pathNot: TEST },
    { dependencyTypes: ['core'] },
  ),
  never(
    'server-knows-no-screen',
    'The server imports domain, contract and server. What both sides need is a rule (domain/) or a schema (contract/).',
    { path: '^server/' },
    { path: '^(web|e2e|bench|scripts)/' },
  ),
  never(
    'web-knows-no-server',
    'The browser talks to the server through an operation in contract/. Share a rule through domain/.',
    { path: '^web/' },
    { path: '^(server|e2e|bench|scripts)/' },
  ),
  never(
    'web-reads-no-schema',
    'The browser has no schemas: vite.config.ts leaves TypeBox out. Take types from contract/, and let the server validate.',
    // This file imports types only.
    { path: '^web/', pathNot: '^web/table/list/declared-list[.]ts$' },
    { path: npm('typebox') },
  ),
]

const serverModules = [
  never(
    'module-has-a-place',
    'Declare this module in a <module>.module.ts, and list it in server/modules/modules.ts.',
    { path: '^server/modules/[^/]+/', pathNot: `^server/modules/${anyOf(MODULES.map(({ name }) => name))}/` },
    {},
  ),
  never(
    'modules-meet-in-public',
    "Import the other module's <module>.public.ts; if what you need is not there, offer it there.",
    { path: '^server/modules/([^/]+)/' },
    {
      path: '^server/modules/',
      pathNot: ['^server/modules/$1/', '^server/modules/([^/]+)/\\1[.]public[.]ts$', '^server/modules/module[.]ts$'],
    },
  ),
  ...MODULES.map(({ name: module, mayUse }) =>
    never(
      `${module}-reaches-down`,
      `${module} may reach only ${[...new Set([...mayUse, ...SHARED_MODULES])].filter((other) => other !== module).join(', ')}. Let the upper module pass in what this one needs.`,
      { path: `^server/modules/${module}/` },
      { path: '^server/modules/[^/]+/', pathNot: `^server/modules/${anyOf([module, ...mayUse, ...SHARED_MODULES])}/` },
    ),
  ),
  never(
    'kits-know-no-module',
    'server/tasks/, server/outbox/ and server/data/ serve every module and know none. Let the module define its kind or lane, and list it in app.ts or data-kinds.ts.',
    { path: '^server/(tasks|outbox|data)/', pathNot: [TEST, '^server/data/data-kinds[.]ts$'] },
    { path: '^server/modules/' },
  ),
  ...SERVER_FOLDERS.map((folder, level) =>
    never(
      `${folder}-points-down`,
      `server/${folder}/ knows only ${SERVER_FOLDERS.slice(0, level).join(', ') || 'itself'} of these: ${SERVER_FOLDERS.join(', ')}. Pass in what it needs from above, or move the file up.`,
      { path: `^server/${folder}/`, pathNot: [TEST, '/testing/'] },
      { path: `^server/${anyOf([...SERVER_FOLDERS.slice(level + 1), 'tasks', 'outbox', 'modules'])}/` },
    ),
  ),
  never(
    'queries-are-the-bottom',
    'Queries know tables, not use cases or routes: let the use case pass values in. A file with SQL is named *.queries.ts.',
    { path: '[.]queries[.]ts$' },
    { path: '^server/modules/.+/[^./]+([.]module)?[.]ts$' },
  ),
  never(
    'modules-are-the-top',
    'A <module>.module.ts calls use cases, never the reverse. Move what you need out of it into a file of its own.',
    { path: '^server/modules/', pathNot: ['^server/modules/modules[.]ts$', TEST] },
    { path: '[.]module[.]ts$' },
  ),
]

const webModules = [
  never(
    'web-modules-apart',
    'Web modules do not know each other. Compose them in web/app/, or move what several show to web/parts/.',
    { path: '^web/modules/([^/]+)/' },
    { path: '^web/modules/', pathNot: '^web/modules/$1/' },
  ),
  never(
    'web-app-is-the-top',
    'web/app/ imports modules, never the reverse. Pass it in from above, or move it to web/parts/, web/ui/ or web/lib/.',
    { path: '^web/(modules|parts|table|form|ui|lib)/' },
    { path: '^web/app/' },
  ),
  never(
    'web-parts-know-no-module',
    'web/parts/ has what several modules show, and knows none of them. Take what differs as a prop or an argument.',
    { path: '^web/parts/' },
    { path: '^web/modules/' },
  ),
  never(
    'web-ui-knows-no-module',
    'web/table/, web/form/, web/ui/ and web/lib/ serve every module and know none. Take what differs as a prop or an argument.',
    { path: '^web/(table|form|ui|lib)/' },
    { path: '^web/(modules|parts)/' },
  ),
]

const doors = [
  never(
    'decimals-behind-their-door',
    'Only domain/money/ knows the decimal library. Use its functions on plain decimal text, or add one there.',
    { path: '^(domain|contract|server|web|e2e)/', pathNot: '^domain/money/' },
    { path: npm('big[.]js') },
  ),
  never(
    'table-behind-its-door',
    'Only web/table/ knows the table library. Use useTable, DataTable and its column type, or extend them there.',
    { pathNot: '^web/table/' },
    { path: npm('@tanstack/(react-table|react-virtual|table-core|virtual-core)') },
  ),
  never(
    'form-behind-its-door',
    'Only web/form/ knows the form library. Use useForm, Form and FormRows, or extend them there.',
    { pathNot: '^web/form/' },
    { path: npm('@mantine/form') },
  ),
  never(
    'database-behind-its-door',
    'Only the few files that open connections import pg. Take the db that you are given, and put SQL into *.queries.ts.',
    {
      pathNot: [
        '^server/db/database([.]test)?[.]ts$',
        '^server/db/(database-rights|portal-client|time-limit)[.]ts$',
        '^server/db/migrate([.]test)?[.]ts$',
        '^server/db/portal-rights[.]test[.]ts$',
        '^server/prepare-database([.]test)?[.]ts$',
        '^server/(embedded|testing|cli|turns|faults)/',
        '^bench/',
      ],
    },
    { path: npm('pg') },
  ),
]

const shape = [
  never(
    'portals-need-no-tests',
    'Samples and testing/ are not in the package. Move what a portal needs as well out of them.',
    { path: '^(domain|contract|server|web)/', pathNot: [TEST, '/testing/', SAMPLES] },
    { path: ['/testing/', SAMPLES], pathNot: 'node_modules' },
  ),
  never(
    'no-cycles',
    'Two files that need each other are one thing, or hide a third: move what both need into a file below them.',
    {},
    { circular: true },
  ),
  never(
    'no-unresolved',
    'Nothing is found under this name. Check the spelling and the full extension, or add the package.',
    {},
    { couldNotResolve: true },
  ),
  never(
    'no-catch-all-folders',
    'Name the folder for what it holds, in the words of licensing, or put the file beside its only user.',
    {},
    { path: '/(utils?|helpers?|common)/', pathNot: 'node_modules' },
  ),
  never(
    'no-barrels',
    'Import from the file that defines it, and name every file for what it does: no index files.',
    {},
    { path: '/index[.]tsx?$', pathNot: 'node_modules' },
  ),
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...rooms, ...serverModules, ...webModules, ...doors, ...shape],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
}
