import { expect, test } from 'vitest'
import type { LogEvent } from '#domain/license-use/logs/log-events.ts'
import { createLogReader, type LogReaderState } from '#domain/license-use/logs/log-reader.ts'
import { readUsageText } from '#domain/license-use/read-usage-text.ts'
import { createLineSplitter, type TextLine } from '#domain/license-use/text-lines.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const STAMP = '10:00:00 (lmgrd) TIMESTAMP 3/9/2026\n'
const MAX_LINE = 4096
/** In milliseconds. Linear reading takes a tenth of it, quadratic reading much longer. */
const QUADRATIC = 15_000

/** `start`, then `pump` up to the longest line that is read, then `end`. */
const pumped = (start: string, pump: string, end = '') =>
  start + pump.repeat((MAX_LINE - start.length - end.length) / pump.length) + end

const HOSTILE_LOG_LINES = [
  pumped('10:00:01 (sim) DENIED: "f" ann@pc  ', '^^^ '),
  pumped('10:00:01 (sim) DENIED: "f" ann@pc  ', '^^^ ', 'x'),
  pumped('10:00:01 (sim) DENIED: "f" ann@pc  ', '(-4,342) '),
  pumped('10:00:01 (sim) DENIED: "f" ann@pc  ', '(x ', '(-4,342)'),
  pumped('10:00:01 (sim) OUT: "f" ', 'ann', ' pc'),
  pumped('10:00:01 (sim) OUT: "f" ', 'a b ', '@'),
  pumped('10:00:01 (sim) OUT: "f" ann@pc ', ' [x'),
  pumped('10:00:01 (sim) OUT: 1 "f" to ann', ' ', 'x'),
  pumped('10:00:01 (lmgrd) x', ' started on ', '(x'),
  pumped('10:00:01 (lmgrd) x started on (3/9/2026)', ' ', 'x'),
  pumped('(', '(-4,342) ', 'x'),
]
const HOSTILE_LMSTAT_LINES = [
  pumped('', ' ', 'x'),
  pumped('x', ' ', '(-15,1'),
  pumped('x', '(-15,1 '),
  pumped('License file(s) on a: x', ' ', 'x'),
  pumped('Users of f', ':  (', 'x'),
  pumped('  "f" v1, vendor: sim', ' ', 'x'),
  pumped('1 RESERVATION for USER a', ' (b/', 'x'),
  pumped('ann pc :0', ' (v1) (a/b 1)', 'x'),
  pumped('ann pc :0 (v1) (a/', '/', 'x'),
]

test('reads a megabyte of hostile log lines, forwards and without a date', () => {
  for (const line of HOSTILE_LOG_LINES) {
    const text = `${line}\n`.repeat(250)
    expect(readUsageText(bytesOf(STAMP + text)).kind).toBe('log')
  }
})

test('reads a megabyte of hostile lmstat lines', () => {
  for (const line of HOSTILE_LMSTAT_LINES) {
    const text = `${line}\n`.repeat(125)
    const head = 'Flexible License Manager status on Mon 3/9/2026 14:05\nLicense server status: 1@a\n'
    const whole = `${head}${text}Users of f:  (Total of 1 license issued;  Total of 1 license in use)\n${text}`
    expect(readUsageText(bytesOf(whole)).kind).toBe('lmstat')
    expect(readUsageText(bytesOf(`Feature Version #licenses Vendor Expires\n${text}`)).kind).toBe('lmstat-i')
  }
})

const repeat = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')
const denied = (time: string, feature: string, code = -4) =>
  `${time} (sim) DENIED: "${feature}" ann@pc (No seat. (${code},342))\n`

test.each([
  ['one second, of one feature', repeat(20_000, () => denied('10:00:01', 'f'))],
  ['one second, of many features', repeat(20_000, (at) => denied('10:00:01', `f${at}`))],
  [
    'one second, before as many checkouts of other features',
    repeat(10_000, (at) => denied('10:00:01', 'f', -at)) + repeat(10_000, () => '10:00:02 (sim) OUT: "g" ann@pc\n'),
  ],
  [
    'one second, before as many checkouts of the second before it',
    repeat(10_000, (at) => denied('10:00:01', 'f', -at)) + repeat(10_000, () => '10:00:00 (sim) OUT: "f" ann@pc\n'),
  ],
  ['two seconds in turn', repeat(20_000, (at) => denied(`10:00:0${at % 2}`, `f${at}`))],
  [
    'two minutes in turn, after many between them',
    repeat(10_000, (at) => denied('10:00:30', `f${at}`)) +
      repeat(10_000, (at) => denied(at % 2 ? '10:01:01' : '10:00:00', 'f')),
  ],
])(
  'reads denials of %s in linear time',
  (_, lines) => {
    expect(readUsageText(bytesOf(STAMP + lines))).toMatchObject({ kind: 'log' })
  },
  QUADRATIC,
)

test(
  'reads checkouts and as many returns of another number of seats in linear time',
  () => {
    const line = (word: string, seats: number) => `10:00:01 (sim) ${word}: "f" ann@pc (${seats} licenses)\n`
    const lines = repeat(20_000, () => line('OUT', 1)) + repeat(20_000, () => line('IN', 2))
    expect(readUsageText(bytesOf(STAMP + lines))).toMatchObject({ summary: { checkouts: 20_000, stillOpen: 0 } })
  },
  QUADRATIC,
)

test('holds 20,000 seats that are out, and reports the lines of more', () => {
  const reports: LogEvent[] = []
  const reader = createLogReader((event) => reports.push(event))
  const splitter = createLineSplitter()
  const read = (text: string) => {
    for (const line of splitter.push(bytesOf(text))) reader.read(line)
  }
  read(STAMP + repeat(20_002, (at) => `10:00:01 (sim) OUT: "f" user${at}@pc  \n`))
  expect(reports.filter(({ kind }) => kind === 'out')).toHaveLength(20_000)
  expect(reports.filter(({ kind }) => kind === 'problem')).toEqual(
    [20_002, 20_003].map((line) => ({ kind: 'problem', line, code: 'too-many-open' })),
  )
  reports.length = 0
  read('10:00:02 (sim) IN: "f" user7@pc  \n10:00:03 (sim) OUT: "f" user20001@pc  \n')
  expect(reports.map(({ kind }) => kind)).toEqual(['in', 'out'])
})

test('forgets seats of a shutdown after its minute', () => {
  const reader = createLogReader(() => {})
  const splitter = createLineSplitter()
  const inAt = (time: string) => `${time} (sim) IN: "f" ann@pc${time.replaceAll(':', '')} (SHUTDOWN)\n`
  for (const line of splitter.push(bytesOf(STAMP + inAt('10:00:01') + inAt('10:00:30') + inAt('10:01:20'))))
    reader.read(line)
  expect(reader.state().open.shutdowns).toHaveLength(2)
})

test('skips a line longer than 4 kB with its number, and reads on', () => {
  const long = `10:00:02 (sim) OUT: "f" bob@pc ${'x'.repeat(MAX_LINE)}`
  const result = readUsageText(
    bytesOf(`${STAMP}10:00:01 (sim) OUT: "f" ann@pc  \n${long}\n10:00:03 (sim) OUT: "f" eve@pc  \n`),
  )
  if (result.kind !== 'log') throw new Error(`Read as ${result.kind}`)
  expect(result.checkouts.map(({ user }) => user)).toEqual(['ann', 'eve'])
  expect(result.problems).toEqual([{ line: 3, code: 'too-long' }])
  const status = readUsageText(
    bytesOf(
      `License server status: 1@a\nUsers of f:  (Total of 1 license issued;  Total of 1 license in use)\n${long}\n`,
    ),
  )
  expect(status).toMatchObject({ kind: 'lmstat', problems: [{ line: 3, code: 'too-long' }] })
})

test.each([
  ['\n', 1],
  ['\r\n', 1],
  ['\n', 1000],
  ['\r\n', 4097],
])('tells a line of 4 kB from a longer one that ends in %j and arrives in pieces of %i bytes', (end, size) => {
  const bytes = bytesOf(`${'x'.repeat(MAX_LINE)}${end}${'y'.repeat(MAX_LINE + 1)}${end}z${end}`)
  const splitter = createLineSplitter()
  const lines: TextLine[] = []
  for (let at = 0; at < bytes.length; at += size) lines.push(...splitter.push(bytes.subarray(at, at + size)))
  expect(lines.map(({ text, isTooLong }) => [text.length, isTooLong])).toEqual([
    [MAX_LINE, false],
    [0, true],
    [1, false],
  ])
})

test('goes on with the next piece after the end of a line that is too long', () => {
  const reports: unknown[] = []
  const reader = createLogReader((event, line) => reports.push(event.kind === 'problem' ? event : [line, event.kind]))
  const splitter = createLineSplitter()
  for (const piece of [STAMP, 'x'.repeat(9000), `${'x'.repeat(9000)}\n10:00:01 (sim) OUT: "f" `, 'ann@pc  \n'])
    for (const line of splitter.push(bytesOf(piece))) reader.read(line)
  reader.pause()
  expect(reports).toEqual([{ kind: 'problem', line: 2, code: 'too-long' }, [3, 'out']])
})

test.each(['%s exited with status 1', 'Started %s', 'REStarted %s'])(
  'reports a daemon whose name is too long for an index, in "%s", and reads on',
  (said) => {
    const lifecycle = `10:00:01 (lmgrd) ${said.replace('%s', 'd'.repeat(3900))}\n`
    expect(readUsageText(bytesOf(`${STAMP}${lifecycle}10:00:02 (sim) OUT: "f" ann@pc  \n`))).toMatchObject({
      summary: { checkouts: 1 },
      problems: [{ line: 2, code: 'unreadable-event' }],
    })
  },
)

const KEPT = 8 * 1024 * 1024

test.each([
  ['denials of one second', STAMP, (at: number) => denied('10:00:01', `${'f'.repeat(200)}${at}`)],
  ['lines without a date', '', (at: number) => `10:00:01 (sim) OUT: "f${at}" ann@pc ${'x'.repeat(3900)}\n`],
  ['daemons without a date', '', (at: number) => `10:00:01 (${'x'.repeat(3900)}${at}) OUT: "f" ann@pc  \n`],
])('keeps at most 8 MB of %s for the next piece of a log', (_, head, line) => {
  const text = repeat(20_000, line)
  let state: Partial<LogReaderState> = {}
  for (const piece of [head, text.slice(0, 8_000_000), '10:00:01 (sim) OUT: "g" ann@pc  \n']) {
    const reader = createLogReader(() => {}, state)
    for (const one of createLineSplitter().push(bytesOf(piece))) reader.read(one)
    reader.pause()
    state = reader.state()
  }
  expect(JSON.stringify(state).length).toBeLessThan(KEPT)
})

test('marks denials of a storm as granted that are read in an earlier piece, the latest of them', () => {
  const kinds: string[] = []
  const pieces = [STAMP + repeat(20_000, (at) => denied('10:00:01', 'f', -at)), '10:00:02 (sim) OUT: "f" ann@pc  \n']
  let state: Partial<LogReaderState> = {}
  for (const piece of pieces) {
    const reader = createLogReader(({ kind }) => kinds.push(kind), state)
    for (const one of createLineSplitter().push(bytesOf(piece))) reader.read(one)
    state = reader.state()
  }
  expect(kinds.filter((kind) => kind === 'granted')).toHaveLength(10_000)
})
