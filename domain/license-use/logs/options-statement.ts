import type { TextLine } from '#domain/license-use/text-lines.ts'

export type Selector = Readonly<Record<string, string>> | null

const COUNTED_RULES = ['RESERVE', 'MAX'] as const
const FEATURE_RULES = [
  'INCLUDE',
  'EXCLUDE',
  'INCLUDE_BORROW',
  'EXCLUDE_BORROW',
  'INCLUDE_ENTITLEMENT',
  'EXCLUDE_ENTITLEMENT',
] as const
const GENERAL_RULES = ['INCLUDEALL', 'EXCLUDEALL'] as const
const TYPES = ['USER', 'HOST', 'DISPLAY', 'INTERNET', 'PROJECT', 'GROUP', 'USER_GROUP', 'HOST_GROUP'] as const
const FEATURE_SETTINGS = [
  'TIMEOUT',
  'LINGER',
  'MAX_BORROW_HOURS',
  'BORROW_LOWWATER',
  'MAX_OVERDRAFT',
  'FQDN_MATCHING',
] as const
const GENERAL_SETTINGS = [
  'TIMEOUTALL',
  'REPORTLOG',
  'DEBUGLOG',
  'NOLOG',
  'AUTOMATIC_REREAD',
  'ACTIVATION_LOWWATER',
] as const
export const RULES = [...COUNTED_RULES, ...FEATURE_RULES, ...GENERAL_RULES] as const
const SETTINGS = [...FEATURE_SETTINGS, ...GENERAL_SETTINGS] as const
export const OPTIONS_KEYWORDS: readonly string[] = [
  ...RULES,
  ...SETTINGS,
  'GROUP',
  'USER_GROUP',
  'HOST_GROUP',
  'GROUPCASEINSENSITIVE',
]

export type RuleKeyword = (typeof RULES)[number]
/** USER_GROUP is read as GROUP, which means the same. */
export type RuleType = Exclude<(typeof TYPES)[number], 'USER_GROUP'>

export type OptionsRule = {
  readonly kind: 'rule'
  readonly rule: RuleKeyword
  /** Of RESERVE and MAX. */
  readonly count: number | null
  /** Null: all features. */
  readonly feature: string | null
  readonly selector: Selector
  readonly type: RuleType
  readonly name: string
  /** Words after the name, which vendor daemons ignore. */
  readonly surplus: readonly string[]
}
export type OptionsGroup = {
  readonly kind: 'group'
  readonly isHostGroup: boolean
  readonly name: string
  readonly members: readonly string[]
}
export type OptionsSetting = {
  readonly kind: 'setting'
  readonly setting: string
  readonly feature: string | null
  readonly selector: Selector
  readonly value: string
}
export type OptionsStatement =
  | OptionsRule
  | OptionsGroup
  | OptionsSetting
  /** GROUPCASEINSENSITIVE */
  | { readonly kind: 'case'; readonly isOn: boolean }
  | { readonly kind: 'unreadable'; readonly code: 'bad-rule' | 'unknown-keyword'; readonly keyword: string }

const isOneOf = <T extends string>(words: readonly T[], word: string): word is T =>
  (words as readonly string[]).includes(word)

export const hasCount = (rule: RuleKeyword) => isOneOf(COUNTED_RULES, rule)
export const hasFeature = (rule: RuleKeyword) => !isOneOf(GENERAL_RULES, rule)

/** One statement of an options file, its continued lines joined. */
export function parseOptionsStatement(text: string): OptionsStatement {
  const [keyword = '', ...words] = splitWords(text)
  const unreadable = (code: 'bad-rule' | 'unknown-keyword') => ({ kind: 'unreadable', code, keyword }) as const
  if (keyword === 'GROUPCASEINSENSITIVE') return { kind: 'case', isOn: words[0]?.toUpperCase() === 'ON' }
  if (keyword === 'GROUP' || keyword === 'USER_GROUP' || keyword === 'HOST_GROUP') {
    const [name, ...members] = words
    return name ? { kind: 'group', isHostGroup: keyword === 'HOST_GROUP', name, members } : unreadable('bad-rule')
  }
  if (isOneOf(RULES, keyword)) return toRule(keyword, words) ?? unreadable('bad-rule')
  if (isOneOf(SETTINGS, keyword)) return toSetting(keyword, words) ?? unreadable('bad-rule')
  return unreadable('unknown-keyword')
}

function toRule(rule: RuleKeyword, words: string[]): OptionsRule | undefined {
  const counted = hasCount(rule) ? words.shift() : undefined
  const count = counted === undefined ? null : Number(counted)
  const named = hasFeature(rule) ? words.shift() : undefined
  const [type = '', name, ...surplus] = words
  const isBad =
    (hasCount(rule) && !(Number.isInteger(count) && (count ?? 0) > 0)) || (hasFeature(rule) && named === undefined)
  if (isBad || !isOneOf(TYPES, type) || name === undefined) return undefined
  const ofFeature = named === undefined ? { feature: null, selector: null } : parseSelector(named)
  return { kind: 'rule', rule, count, ...ofFeature, type: type === 'USER_GROUP' ? 'GROUP' : type, name, surplus }
}

function toSetting(setting: string, words: string[]): OptionsSetting | undefined {
  const named = isOneOf(FEATURE_SETTINGS, setting) ? words.shift() : undefined
  const value = words.join(' ')
  if (!value) return undefined
  const ofFeature = named === undefined ? { feature: null, selector: null } : parseSelector(named)
  return { kind: 'setting', setting, ...ofFeature, value }
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

/** Joins lines that end in a backslash with those that follow. Comments and blank lines are no statements, and comments never continue. */
export function createStatementJoiner() {
  let number = 0
  let first = 0
  let parts: string[] = []
  return {
    /** `isOver`: the next line begins something new. */
    read({ text, isTooLong }: Pick<TextLine, 'text' | 'isTooLong'>): {
      readonly line: number
      readonly statement: string | null
      readonly isTooLong: boolean
      readonly isOver: boolean
    } {
      number += 1
      if (isTooLong) return { line: number, statement: null, isTooLong, isOver: parts.length === 0 }
      if (parts.length === 0 && (/^\s*#/.test(text) || !text.trim()))
        return { line: number, statement: null, isTooLong, isOver: true }
      if (parts.length === 0) first = number
      const trimmed = text.trim()
      const isContinued = trimmed.endsWith('\\')
      parts.push(isContinued ? trimmed.slice(0, -1).trimEnd() : trimmed)
      return { line: first, statement: isContinued ? null : take(), isTooLong, isOver: !isContinued }
    },
    /** A statement that the end of the text cuts off. */
    end: () => (parts.length === 0 ? null : { line: first, statement: take() }),
  }

  function take(): string {
    const statement = parts.join(' ')
    parts = []
    return statement
  }
}
