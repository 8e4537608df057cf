import type { OptionsStatement, RuleKeyword, RuleType, Selector } from '#domain/license-use/logs/options-statement.ts'

export const TYPE_WORDS: Readonly<Record<RuleType, string>> = {
  USER: 'user',
  HOST: 'host',
  DISPLAY: 'display',
  INTERNET: 'address',
  PROJECT: 'project',
  GROUP: 'group',
  HOST_GROUP: 'host group',
}

export const RULE_WORDS: Readonly<Record<RuleKeyword, string>> = {
  RESERVE: 'Reserve seats',
  MAX: 'Limit seats',
  INCLUDE: 'Allow',
  EXCLUDE: 'Exclude',
  INCLUDE_BORROW: 'Allow borrowing',
  EXCLUDE_BORROW: 'Exclude from borrowing',
  INCLUDE_ENTITLEMENT: 'Allow entitlement',
  EXCLUDE_ENTITLEMENT: 'Exclude from entitlement',
  INCLUDEALL: 'Allow all features',
  EXCLUDEALL: 'Exclude from all features',
}

/** What a statement does, as one sentence. */
export function optionsWords(statement: OptionsStatement): string {
  switch (statement.kind) {
    case 'case':
      return statement.isOn ? 'Names of groups may be in any case.' : 'Names of groups are case sensitive.'
    case 'group': {
      const { isHostGroup, name, members } = statement
      const what = isHostGroup ? 'Host group' : 'Group'
      return members.length === 0 ? `${what} ${name} has no members.` : `${what} ${name}: ${members.join(', ')}.`
    }
    case 'setting':
      return settingWords(statement.setting, featureWords(statement.feature, statement.selector), statement.value)
    case 'unreadable':
      return statement.code === 'bad-rule'
        ? `This ${statement.keyword} line cannot be read.`
        : `${statement.keyword} is kept as it is.`
    case 'rule': {
      const { rule, count, feature, selector, type, name } = statement
      const who = `${TYPE_WORDS[type]} ${name}`
      return ruleWords(rule, { count: count ?? 0, of: featureWords(feature, selector), who })
    }
  }
}

type Words = { readonly count: number; readonly of: string; readonly who: string }

function ruleWords(rule: RuleKeyword, { count, of, who }: Words): string {
  const seats = `${count.toLocaleString('en-US')} ${count === 1 ? 'seat' : 'seats'} of ${of}`
  switch (rule) {
    case 'RESERVE':
      return `${seats} ${count === 1 ? 'is' : 'are'} reserved for ${who}.`
    case 'MAX':
      return `At most ${seats} for ${who}.`
    case 'INCLUDE':
      return `${of} may be used by ${who}, and only by those who are allowed.`
    case 'EXCLUDE':
      return `${of} may not be used by ${who}.`
    case 'INCLUDE_BORROW':
      return `${of} may be borrowed by ${who}, and only by those who are allowed.`
    case 'EXCLUDE_BORROW':
      return `${of} may not be borrowed by ${who}.`
    case 'INCLUDE_ENTITLEMENT':
      return `Entitlement ${of} may be activated by ${who}, and only by those who are allowed.`
    case 'EXCLUDE_ENTITLEMENT':
      return `Entitlement ${of} may not be activated by ${who}.`
    case 'INCLUDEALL':
      return `All features may be used by ${who}, and only by those who are allowed.`
    case 'EXCLUDEALL':
      return `No feature may be used by ${who}.`
  }
}

export function featureWords(feature: string | null, selector: Selector): string {
  if (feature === null) return ''
  const pairs = Object.entries(selector ?? {}).map(([name, value]) => `${name} ${value}`)
  return pairs.length === 0 ? feature : `${feature} (${pairs.join(', ')})`
}

function settingWords(setting: string, of: string, value: string): string {
  switch (setting) {
    case 'TIMEOUT':
      return `Seats of ${of} that are idle for ${value} seconds come back.`
    case 'TIMEOUTALL':
      return `Seats of all features that are idle for ${value} seconds come back.`
    case 'LINGER':
      return `Seats of ${of} stay out for ${value} seconds after their return.`
    case 'MAX_BORROW_HOURS':
      return `${of} can be borrowed for at most ${value} hours.`
    case 'BORROW_LOWWATER':
      return `${value} seats of ${of} cannot be borrowed.`
    case 'REPORTLOG':
      return `The report log is ${value}.`
    case 'DEBUGLOG':
      return `The debug log is ${value}.`
    case 'NOLOG':
      return `${value} lines are not written to the debug log.`
    default:
      return `${setting}${of ? ` of ${of}` : ''} is ${value}.`
  }
}
