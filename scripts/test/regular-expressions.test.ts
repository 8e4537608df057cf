import fs from 'node:fs'
import { parseSync } from '@swc/core'
import { expect, test } from 'vitest'
import { OPERATIONS } from '#contract/operations.ts'
import { type HostileText, hostileTexts } from './hostile-strings.ts'

type Found = { readonly source: string; readonly flags: string; readonly file: string }

/** Regular expressions made of text at run time. None of them repeats anything without an end. */
const MADE_AT_RUN_TIME = [
  'domain/activations/license-files/license-limits.ts',
  'domain/tokens/token-text.ts',
  'server/lists/csv-cells.ts',
]
/** Doubly exponential growth shows in the shortest text, quadratic growth in the longest one. */
const LENGTHS = [24, 250, 2000, 15_000]
/** In milliseconds. Linear expressions take less than a hundredth of it, quadratic ones five times as long. */
const SLOW = 25
const TRIES = 3

function collect(): { found: Found[]; madeAtRunTime: string[] } {
  const found = new Map<string, Found>()
  const madeAtRunTime = new Set<string>()
  for (const file of fs.globSync('{domain,contract,server}/**/*.ts').sort()) {
    if (/\.test\.ts$|\/testing\//.test(file)) continue
    const add = (source: string, flags: string) => found.set(`/${source}/${flags}`, { source, flags, file })
    // biome-ignore lint/suspicious/noExplicitAny: any node of a syntax tree
    const visit = (node: any): void => {
      if (Array.isArray(node)) return void node.forEach(visit)
      if (node === null || typeof node !== 'object') return
      if (node.type === 'RegExpLiteral') add(node.pattern, node.flags)
      if (node.type === 'NewExpression' && node.callee.value === 'RegExp') madeAtRunTime.add(file)
      Object.values(node).forEach(visit)
    }
    visit(parseSync(fs.readFileSync(file, 'utf8'), { syntax: 'typescript' }))
  }
  for (const { name, ...schemas } of OPERATIONS)
    listPatterns(schemas, (source) => found.set(`/${source}/u`, { source, flags: 'u', file: `contract of ${name}` }))
  return { found: [...found.values()], madeAtRunTime: [...madeAtRunTime] }
}

/** The patterns of the schemas that an operation checks its calls with. */
function listPatterns(schema: unknown, add: (source: string) => void): void {
  if (schema === null || typeof schema !== 'object') return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' && typeof value === 'string') add(value)
    else listPatterns(value, add)
  }
}

/** Only what is repeated without an end can take long. */
const isUnbounded = (source: string) => /[*+]|\{\d+,\}/.test(source)

/** The length at which a text takes longer than linear growth allows, or undefined. */
function slowLength({ source, flags }: Found, { prefix, pump, suffix }: HostileText): number | undefined {
  const expression = new RegExp(source, flags)
  return LENGTHS.find((length) => {
    const text = prefix + pump.repeat(Math.max(1, (length - prefix.length) / pump.length)) + suffix
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const start = performance.now()
      // Finds every match, as split and replace do.
      if (flags.includes('g')) text.replace(expression, '')
      else expression.test(text)
      if (performance.now() - start < SLOW) return false
    }
    return true
  })
}

function findSlow(expression: Found): string | undefined {
  for (const text of hostileTexts(expression.source, expression.flags)) {
    const length = slowLength(expression, text)
    if (length !== undefined)
      return `${expression.file}: /${expression.source}/${expression.flags} on ${JSON.stringify(text)}, ${length} characters`
  }
  return undefined
}

test('every regular expression of domain, contract and server takes linear time', () => {
  const { found, madeAtRunTime } = collect()
  expect(found.length).toBeGreaterThan(200)
  expect(madeAtRunTime).toEqual(MADE_AT_RUN_TIME)
  expect(found.filter(({ source }) => isUnbounded(source)).flatMap((one) => findSlow(one) ?? [])).toEqual([])
})

test.each([
  [String.raw`\^\^\^\s*(.*?)\s*\^\^\^\s*$`, ''],
  [String.raw`\((?!\d+(?: licenses?)?\)|SHUTDOWN\))(.*?)\s*\((-?\d+),[^()]*\)\s*\)\s*$`, ''],
  [String.raw`\s*\((-?\d+),[^)]*\)\s*$`, ''],
  [String.raw`^(.*?\S*@[^\s@]*)(?:\s+(.*))?$`, ''],
  [String.raw`^\s*(\S+)\s+(\S+)\s+(\d+)\s+(.*?)\s*$`, ''],
  [String.raw`(?:^|\s)\[([^\]]*)\]`, ''],
  [String.raw`^(?:[a-z]+)+$`, 'i'],
  [String.raw`\s+$`, 'g'],
])('finds a text on which /%s/%s is slow', (source, flags) => {
  expect(findSlow({ source, flags, file: '' })).toBeDefined()
})
