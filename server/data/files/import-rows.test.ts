import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { exportCommand } from '#server/cli/export.ts'
import { importCommand } from '#server/cli/import.ts'
import { readConfig } from '#server/config.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { CHILD_ENVIRONMENT } from '#server/testing/child-environment.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { until } from '#server/testing/until.ts'
import { UNWRAPPED } from '#server/testing/unwrapped.ts'

const now = new Date('2030-02-27T08:00:00Z')
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'import-'))

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await database.close()
  fs.rmSync(directory, { recursive: true })
})

type Run = { readonly lines: readonly string[]; readonly error: string | undefined }

/** The output of the command, and its error. */
async function run(
  command: 'import' | 'export',
  words: readonly string[],
  input?: AsyncIterable<Uint8Array>,
): Promise<Run & { readonly output: string }> {
  const lines: string[] = []
  const output = new PassThrough()
  const written = output.toArray()
  const chosen = command === 'import' ? importCommand(() => input ?? Readable.from([])) : exportCommand(output)
  let error: string | undefined
  try {
    await chosen.run(words, {
      config: readConfig({}),
      installation: {
        ...database,
        embedded: undefined,
        migrated: { isNew: false, steps: [] },
        complete: async () => {},
      },
      now,
      secrets: UNWRAPPED,
      audit: auditContextOf(OPERATOR, { at: now, address: 'command line', requestId: '' }),
      say: (line) => lines.push(line),
      progress: () => {},
    })
  } catch (caught) {
    error = (caught as Error).message
  }
  output.end()
  return { lines, error, output: Buffer.concat(await written).toString() }
}

function fileOf(name: string, content: string | Uint8Array): string {
  const file = path.join(directory, name)
  fs.writeFileSync(file, content)
  return file
}

/** Every test has its own accounts, whose numbers share a prefix. */
const accounts = (...lines: string[]) => fileOf('accounts.csv', ['customerNumber,name,timeZone', ...lines].join('\r\n'))
const namesOf = async (prefix: string) => {
  const rows = await database.db
    .selectFrom('account')
    .select(['customer_number', 'name'])
    .where('customer_number', 'like', `${prefix}%`)
    .orderBy('customer_number')
    .execute()
  return rows.map((row) => `${row.customer_number} ${row.name}`)
}

test('a file is imported once, and a second time nothing changes', async () => {
  const file = accounts('A1,One,Europe/Berlin', 'A2,"Two, ""Ltd""",', "A3,'=1+1,UTC")
  expect(await run('import', ['accounts', file])).toMatchObject({
    lines: ['3 rows read: 3 created, 0 changed, 0 unchanged, 0 refused'],
    error: undefined,
  })
  expect(await namesOf('A')).toEqual(['A1 One', 'A2 Two, "Ltd"', 'A3 =1+1'])
  expect((await run('import', ['accounts', file])).lines).toEqual([
    '3 rows read: 0 created, 0 changed, 3 unchanged, 0 refused',
  ])
  fileOf('accounts.csv', 'customerNumber,name\nA1,Another\nA2,"Two, ""Ltd"""\n')
  expect((await run('import', ['accounts', file])).lines).toEqual([
    '2 rows read: 0 created, 1 changed, 1 unchanged, 0 refused',
  ])
})

const badRows = (id: string) =>
  accounts(
    `${id}1,One,`,
    `${id}2,"Two\r\nlines",`,
    `${id}3,Three,Nowhere/City`,
    `${id} 4,Four,`,
    `${id}5,Five`,
    `${id}6,Six,`,
  )
const refusedRows = (id: string) => [
  `Line 3, ${id}2: name is not of the expected form, for example "Northwind Turbines". (INVALID_RECORD)`,
  expect.stringMatching(`^Line 5, ${id}3: timeZone .* [(]INVALID_RECORD[)]$`),
  expect.stringMatching(`^Line 6, ${id} 4: customerNumber is not of the expected form, .* [(]INVALID_RECORD[)]$`),
  'Line 7: The line has 2 cells, and the header has 3. It may have been cut off. (INVALID_RECORD)',
  '6 rows read: 2 created, 0 changed, 0 unchanged, 4 refused',
]

test('good rows are taken, and each bad one is reported with line, key, field and reason', async () => {
  const report = path.join(directory, 'report.csv')
  const { lines, error } = await run('import', ['accounts', badRows('R'), '--report', report])
  expect(lines).toEqual(refusedRows('R'))
  expect(error).toBe('4 rows were refused. The others are saved.')
  expect(await namesOf('R')).toEqual(['R1 One', 'R6 Six'])
  const [head, ...rows] = fs.readFileSync(report, 'utf8').trimEnd().split('\r\n')
  expect(head).toBe('\ufeff"line","key","field","code","reason"')
  expect(rows).toHaveLength(4)
  expect(rows[0]).toBe(
    '3,"R2","name","INVALID_RECORD","name is not of the expected form, for example ""Northwind Turbines""."',
  )
})

test('a file whose only row is refused says so', async () => {
  const { lines, error } = await run('import', ['accounts', accounts('O1,,')])
  expect(lines.at(-1)).toBe('1 row read: 0 created, 0 changed, 0 unchanged, 1 refused')
  expect(error).toBe('1 row was refused. Nothing was saved.')
})

test.each([
  ['--all-or-nothing', '4 rows were refused. Nothing was saved, because of --all-or-nothing.', []],
  ['--dry-run', '4 rows were refused.', ['This was a dry run: nothing was saved.']],
])('with %s nothing is saved, and the report is the same', async (option, complaint, more) => {
  const { lines, error } = await run('import', ['accounts', badRows('N'), option])
  expect(lines).toEqual([...refusedRows('N'), ...more])
  expect(error).toBe(complaint)
  expect(await namesOf('N')).toEqual([])
})

test.each([
  [[], '3 rows were refused. The others are saved.', ['U1 One', 'U4 Four', 'U6 Six']],
  [['--all-or-nothing'], '3 rows were refused. Nothing was saved, because of --all-or-nothing.', []],
])(
  'lines that are no text, too long or badly quoted are bad rows like any other: %j',
  async (options, complaint, names) => {
    const lines = [
      'customerNumber,name',
      'U1,One',
      'U2,Jürgen',
      `U3,${'x'.repeat(1_100_000)}`,
      'U4,Four',
      '"U5,Five',
      'U6,Six',
    ]
    const file = fileOf('lines.csv', Buffer.from(lines.join('\n'), 'latin1'))
    const { lines: said, error } = await run('import', ['accounts', file, ...options])
    expect(said).toEqual([
      'Line 3: The line is not valid UTF-8. Save the file as UTF-8. (INVALID_RECORD)',
      'Line 4: The line is longer than 1 MB. (INVALID_RECORD)',
      'Line 6: A quote is opened on this line and never closed. The file may have been cut off. (INVALID_RECORD)',
      '6 rows read: 3 created, 0 changed, 0 unchanged, 3 refused',
    ])
    expect(error).toBe(complaint)
    expect(await namesOf('U')).toEqual(names)
    await database.db.deleteFrom('account').where('customer_number', 'like', 'U%').execute()
  },
)

test('--all-or-nothing saves a file without bad rows', async () => {
  expect((await run('import', ['accounts', accounts('W1,One,'), '--all-or-nothing'])).error).toBeUndefined()
  expect(await namesOf('W')).toEqual(['W1 One'])
})

test('the later of two rows with one key wins', async () => {
  const { lines } = await run('import', ['accounts', accounts('L1,One,', 'L1,Other,', 'L1,Last,')])
  expect(lines).toEqual(['3 rows read: 1 created, 2 changed, 0 unchanged, 0 refused'])
  expect(await namesOf('L')).toEqual(['L1 Last'])
})

test('an export to the standard output or a file is safe in spreadsheets, and imports unchanged', async () => {
  const names = ['=1+1', "'=1+1", '-5', '+49', 'plain; "quoted", ünïcode']
  const lines = names.map((name, at) => JSON.stringify({ customerNumber: `X${at}`, name }))
  expect((await run('import', ['accounts', fileOf('names.jsonl', lines.join('\n'))])).error).toBeUndefined()
  const { output } = await run('export', ['accounts'])
  expect(output).toContain(`\r\n"X0","'=1+1",`)
  const file = path.join(directory, 'out.csv')
  const exported = await run('export', ['accounts', file])
  expect(exported.lines).toEqual([expect.stringMatching(`rows are in ${file}$`)])
  expect(fs.readFileSync(file, 'utf8')).toBe(output)
  const imported = await run('import', ['accounts', file])
  expect(imported.lines).toEqual([expect.stringMatching(/: 0 created, 0 changed, [\d,]+ unchanged, 0 refused$/)])
  await database.db.deleteFrom('account').where('customer_number', 'like', 'X%').execute()
  await run('import', ['accounts', file])
  expect(await namesOf('X')).toEqual(names.map((name, at) => `X${at} ${name}`))
  expect((await run('export', ['accounts', '/no/such/directory/x.csv'])).error).toContain('cannot be written')
})

test('Ctrl-C leaves whole batches, says where it stopped, and running again is safe', async () => {
  const rows = Array.from({ length: 12_000 }, (_, at) => `B${at},Name ${at},`)
  const text = ['customerNumber,name,timeZone', ...rows].join('\n')
  const { user, password, port, host, database: name } = database.connection
  const DATABASE_URL = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
  const child = spawn(process.execPath, ['server/cli/main.ts', 'import', 'accounts', '-'], {
    env: { ...CHILD_ENVIRONMENT, DATABASE_URL },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const complaint = child.stderr.toArray()
  // The rest of the file never arrives.
  child.stdin.write(text)
  await until(async () => (await namesOf('B')).length === 10_000, 'two batches were not saved')
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  expect([code, Buffer.concat(await complaint).toString()]).toEqual([
    1,
    'The import was interrupted. The rows up to line 10001 were dealt with. Run the same import again: what is saved stays as it is.\n',
  ])
  expect((await run('import', ['accounts', '-'], Readable.from([Buffer.from(text)]))).lines).toEqual([
    '12,000 rows read: 2,000 created, 0 changed, 10,000 unchanged, 0 refused',
  ])
})

test.each<[words: string[], complaint: string]>([
  [['accounts', fileOf('empty.csv', '')], 'The file is empty. Nothing was saved.'],
  [
    ['accounts', fileOf('columns.csv', 'customerNumber,title\nE1,x\n')],
    'The columns in line 1 do not fit: unknown: title; missing: name.',
  ],
  [['account', 'x.csv'], '"account" is not a kind: products, rate-tables, '],
  [['accounts', '/no/such/file'], '/no/such/file cannot be read: ENOENT'],
  [['accounts', directory], 'cannot be read: it is a directory'],
  [['accounts'], '<file> is missing'],
  [['accounts', 'x.csv', '--format', 'xml'], '--format must be csv or jsonl'],
])('import %j is refused in one line', async (words, complaint) => {
  const { error, lines } = await run('import', words)
  expect(error).toContain(complaint)
  expect(error).not.toContain('\n')
  expect(lines).toEqual([])
  expect(await namesOf('E')).toEqual([])
})
