import type { TextLine } from '#domain/license-use/text-lines.ts'

type Selector = Record<string, string> | null
type Rule = {
  line: number
  rule: string
  count: number | null
  feature: string | null
  selector: Selector
  type: string
  name: string
}
type Setting = { line: number; setting: string; feature: string | null; selector: Selector; value: string | number }
type Group = { name: string; members: string[] }

const COUNTED_RULES = ['RESERVE', 'MAX']
const FEATURE_RULES = [
  'INCLUDE',
  'EXCLUDE',
  'INCLUDE_BORROW',
  'EXCLUDE_BORROW',
  'INCLUDE_ENTITLEMENT',
  'EXCLUDE_ENTITLEMENT',
]
const GENERAL_RULES = ['INCLUDEALL', 'EXCLUDEALL']
const TYPES = ['USER', 'HOST', 'DISPLAY', 'INTERNET', 'PROJECT', 'GROUP', 'USER_GROUP', 'HOST_GROUP']
const FEATURE_SETTINGS = ['TIMEOUT', 'LINGER', 'MAX_BORROW_HOURS', 'BORROW_LOWWATER', 'MAX_OVERDRAFT', 'FQDN_MATCHING']
const GENERAL_SETTINGS = ['TIMEOUTALL', 'REPORTLOG', 'DEBUGLOG', 'NOLOG', 'AUTOMATIC_REREAD', 'ACTIVATION_LOWWATER']
export const OPTIONS_KEYWORDS: readonly string[] = [
  ...COUNTED_RULES,
  ...FEATURE_RULES,
  ...GENERAL_RULES,
  ...FEATURE_SETTINGS,
  ...GENERAL_SETTINGS,
  'GROUP',
  'USER_GROUP',
  'HOST_GROUP',
  'GROUPCASEINSENSITIVE',
]

/** Reads the options file of a vendor daemon. */
export function createOptionsReader() {
  const groups: Group[] = []
  const hostGroups: Group[] = []
  const rules: Rule[] = []
  const settings: Setting[] = []
  const problems: { line: number | null; code: string }[] = []
  let caseInsensitiveGroups = false
  let lineNumber = 0
  let unfinished: { text: string; line: number } | null = null

  function problem(line: number, code: string) {
    problems.push({ line, code })
  }

  function addMembers(to: Group[], [name, ...members]: string[], line: number) {
    if (!name) return problem(line, 'bad-rule')
    const known = to.find((group) => same(group.name, name))
    if (known) known.members.push(...members)
    else to.push({ name, members })
  }

  function same(one: string, other: string): boolean {
    return caseInsensitiveGroups ? one.toLowerCase() === other.toLowerCase() : one === other
  }

  function addRule(rule: string, words: string[], line: number) {
    const hasCount = COUNTED_RULES.includes(rule)
    const hasFeature = !GENERAL_RULES.includes(rule)
    const counted = hasCount ? words.shift() : undefined
    const count = counted === undefined ? null : Number(counted)
    const named = hasFeature ? words.shift() : undefined
    const [type = '', name, ...extra] = words
    const isBad = (hasCount && !(Number.isInteger(count) && (count ?? 0) > 0)) || (hasFeature && named === undefined)
    if (isBad || !TYPES.includes(type) || name === undefined) return problem(line, 'bad-rule')
    if (extra.length) problem(line, 'extra-words')
    const { feature, selector } = named === undefined ? { feature: null, selector: null } : parseSelector(named)
    rules.push({ line, rule, count, feature, selector, type: type === 'USER_GROUP' ? 'GROUP' : type, name })
  }

  function addSetting(setting: string, words: string[], line: number) {
    const named = FEATURE_SETTINGS.includes(setting) ? words.shift() : undefined
    const text = words.join(' ')
    if (!text) return problem(line, 'bad-rule')
    const { feature, selector } = named === undefined ? { feature: null, selector: null } : parseSelector(named)
    settings.push({ line, setting, feature, selector, value: /^\d+$/.test(text) ? Number(text) : text })
  }

  function readStatement(text: string, line: number) {
    const [keyword = '', ...words] = splitWords(text)
    if (keyword === 'GROUPCASEINSENSITIVE') caseInsensitiveGroups = words[0]?.toUpperCase() === 'ON'
    else if (keyword === 'GROUP' || keyword === 'USER_GROUP') addMembers(groups, words, line)
    else if (keyword === 'HOST_GROUP') addMembers(hostGroups, words, line)
    else if ([...COUNTED_RULES, ...FEATURE_RULES, ...GENERAL_RULES].includes(keyword)) addRule(keyword, words, line)
    else if ([...FEATURE_SETTINGS, ...GENERAL_SETTINGS].includes(keyword)) addSetting(keyword, words, line)
    else problem(line, 'unknown-keyword')
  }

  function read({ text, isTooLong }: TextLine): void {
    lineNumber += 1
    if (isTooLong) return void problem(lineNumber, 'too-long')
    if (!unfinished && (/^\s*#/.test(text) || !text.trim())) return
    const joined: string = unfinished ? `${unfinished.text} ${text.trim()}` : text.trim()
    const line: number = unfinished?.line ?? lineNumber
    if (joined.endsWith('\\')) unfinished = { text: joined.slice(0, -1).trimEnd(), line }
    else {
      unfinished = null
      readStatement(joined, line)
    }
  }

  function result() {
    if (unfinished) readStatement(unfinished.text, unfinished.line)
    unfinished = null
    const unknown = rules.filter(({ type, name }) => {
      const known = type === 'GROUP' ? groups : type === 'HOST_GROUP' ? hostGroups : null
      return known !== null && !known.some((group) => same(group.name, name))
    })
    const all = [...problems, ...unknown.map(({ line }) => ({ line, code: 'unknown-group' }))]
    return { kind: 'options' as const, caseInsensitiveGroups, groups, hostGroups, rules, settings, problems: all }
  }

  return { read, result }
}

/** Words at blanks. Quotes keep blanks together and are left out. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll('"', ''))
}

/** `f:VERSION=2.1` and `"f asset_info=1"` choose among the licenses of a feature. */
function parseSelector(text: string): { feature: string; selector: Selector } {
  const [feature = '', ...pairs] = text.includes(' ') ? text.split(/\s+/) : text.split(':')
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  })
  return { feature, selector: entries.length ? Object.fromEntries(entries) : null }
}
