import {
  hasCount,
  hasFeature,
  type OptionsStatement,
  parseOptionsStatement,
  type RuleKeyword,
  type RuleType,
} from '#domain/license-use/logs/options-statement.ts'
import { formatFeature, formatOptionsStatement, type OptionsPart } from '#domain/options-files/options-document.ts'
import { RULE_WORDS } from '#domain/options-files/options-words.ts'
import type { Errors } from '#web/form/fields.ts'

export type Kind = RuleKeyword | 'GROUP' | 'HOST_GROUP' | 'TIMEOUT' | 'TIMEOUTALL'

export const KINDS: readonly { readonly value: Kind; readonly label: string }[] = [
  ...(['RESERVE', 'MAX', 'INCLUDE', 'EXCLUDE', 'INCLUDEALL', 'EXCLUDEALL'] as const).map((value) => ({
    value,
    label: RULE_WORDS[value],
  })),
  { value: 'GROUP', label: 'Group of users' },
  { value: 'HOST_GROUP', label: 'Group of hosts' },
  { value: 'TIMEOUT', label: 'Timeout of a feature' },
  { value: 'TIMEOUTALL', label: 'Timeout of all features' },
]

export type RuleValues = {
  kind: Kind
  count: number | string
  /** With its choice among licenses: solver:VERSION=2026.1 */
  feature: string
  type: RuleType
  name: string
  members: string
  seconds: number | string
}

export const NEW_RULE: RuleValues = {
  kind: 'RESERVE',
  count: 1,
  feature: '',
  type: 'GROUP',
  name: '',
  members: '',
  seconds: 3600,
}

const isKind = (keyword: string): keyword is Kind => KINDS.some(({ value }) => value === keyword)

/** Other statements are edited in the text. */
export const isEditable = ({ statement }: OptionsPart): boolean => statement !== null && toValues(statement) !== null

export function toValues(statement: OptionsStatement): RuleValues | null {
  if (statement.kind === 'group') {
    const { isHostGroup, name, members } = statement
    return { ...NEW_RULE, kind: isHostGroup ? 'HOST_GROUP' : 'GROUP', name, members: members.map(quoted).join(' ') }
  }
  if (statement.kind === 'rule') {
    const { rule, count, feature, selector, type, name } = statement
    const named = feature === null ? '' : formatFeature(feature, selector)
    return isKind(rule) ? { ...NEW_RULE, kind: rule, count: count ?? 1, feature: named, type, name } : null
  }
  if (statement.kind !== 'setting' || !isKind(statement.setting)) return null
  const { setting, feature, selector, value } = statement
  const named = feature === null ? '' : formatFeature(feature, selector)
  return { ...NEW_RULE, kind: setting as Kind, feature: named, seconds: value }
}

const quoted = (word: string) => (/\s/.test(word) ? `"${word}"` : word)

export const isGroup = (kind: Kind): kind is 'GROUP' | 'HOST_GROUP' => kind === 'GROUP' || kind === 'HOST_GROUP'
export const isTimeout = (kind: Kind): kind is 'TIMEOUT' | 'TIMEOUTALL' => kind === 'TIMEOUT' || kind === 'TIMEOUTALL'
export const needsCount = (kind: Kind) => !isGroup(kind) && !isTimeout(kind) && hasCount(kind)
export const needsFeature = (kind: Kind) =>
  kind === 'TIMEOUT' || (!isGroup(kind) && !isTimeout(kind) && hasFeature(kind))

const UNUSABLE = /["\p{Cc}]/u

export function ruleErrors(values: RuleValues): Errors {
  const { kind, count, feature, name, members, seconds } = values
  return {
    count: needsCount(kind) && !isWhole(count) ? 'Enter a whole number above 0.' : undefined,
    feature: needsFeature(kind) && !feature.trim() ? 'Choose a feature.' : unusable(feature),
    name: isTimeout(kind) ? undefined : name.trim() ? unusable(name) : 'Enter a name.',
    members: isGroup(kind) && !members.trim() ? 'Enter at least one member.' : undefined,
    seconds: isTimeout(kind) && !isWhole(seconds) ? 'Enter a whole number above 0.' : undefined,
  }
}

const isWhole = (value: number | string) => Number.isInteger(Number(value)) && Number(value) > 0
const unusable = (text: string) => (UNUSABLE.test(text) ? 'Quotes cannot be used here.' : undefined)

/** The rule as one line of the file. Names with blanks are quoted. */
export function toLine({ kind, count, feature, type, name, members, seconds }: RuleValues): string {
  const named = feature.trim()
  const of = named && parseOptionsStatement(`TIMEOUT "${named}" 1`)
  const chosen = of && of.kind === 'setting' ? of : { feature: null, selector: null }
  if (isGroup(kind)) {
    const read = parseOptionsStatement(`GROUP "${name.trim()}" ${members.replace(/[\s,;]+/g, ' ')}`)
    if (read.kind === 'group') return formatOptionsStatement({ ...read, isHostGroup: kind === 'HOST_GROUP' })
  }
  if (isTimeout(kind))
    return formatOptionsStatement({
      kind: 'setting',
      setting: kind,
      feature: kind === 'TIMEOUT' ? chosen.feature : null,
      selector: kind === 'TIMEOUT' ? chosen.selector : null,
      value: String(seconds),
    })
  const rule = kind as RuleKeyword
  return formatOptionsStatement({
    kind: 'rule',
    rule,
    count: hasCount(rule) ? Number(count) : null,
    feature: hasFeature(rule) ? chosen.feature : null,
    selector: hasFeature(rule) ? chosen.selector : null,
    type,
    name: name.trim(),
    surplus: [],
  })
}
