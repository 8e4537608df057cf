import {
  createStatementJoiner,
  type OptionsGroup,
  type OptionsRule,
  type OptionsSetting,
  parseOptionsStatement,
} from '#domain/license-use/logs/options-statement.ts'
import type { TextLine } from '#domain/license-use/text-lines.ts'

type Rule = { line: number } & Omit<OptionsRule, 'kind' | 'surplus'>
type Setting = { line: number; value: string | number } & Omit<OptionsSetting, 'kind' | 'value'>
type Group = { name: string; members: string[] }

/** Reads the options file of a vendor daemon. */
export function createOptionsReader() {
  const groups: Group[] = []
  const hostGroups: Group[] = []
  const rules: Rule[] = []
  const settings: Setting[] = []
  const problems: { line: number | null; code: string }[] = []
  const joiner = createStatementJoiner()
  let caseInsensitiveGroups = false

  function problem(line: number, code: string) {
    problems.push({ line, code })
  }

  function addMembers({ isHostGroup, name, members }: OptionsGroup) {
    const to = isHostGroup ? hostGroups : groups
    const known = to.find((group) => same(group.name, name))
    if (!known) to.push({ name, members: [...members] })
    else for (const member of members) known.members.push(member)
  }

  function same(one: string, other: string): boolean {
    return caseInsensitiveGroups ? one.toLowerCase() === other.toLowerCase() : one === other
  }

  function readStatement(text: string, line: number) {
    const statement = parseOptionsStatement(text)
    if (statement.kind === 'unreadable') problem(line, statement.code)
    else if (statement.kind === 'case') caseInsensitiveGroups = statement.isOn
    else if (statement.kind === 'group') addMembers(statement)
    else if (statement.kind === 'rule') {
      const { rule, count, feature, selector, type, name, surplus } = statement
      if (surplus.length) problem(line, 'extra-words')
      rules.push({ line, rule, count, feature, selector, type, name })
    } else {
      const { setting, feature, selector, value } = statement
      settings.push({ line, setting, feature, selector, value: /^\d+$/.test(value) ? Number(value) : value })
    }
  }

  function read(text: Pick<TextLine, 'text' | 'isTooLong'>): void {
    const { line, statement, isTooLong } = joiner.read(text)
    if (isTooLong) problem(line, 'too-long')
    else if (statement !== null) readStatement(statement, line)
  }

  function result() {
    const last = joiner.end()
    if (last) readStatement(last.statement, last.line)
    const unknown = rules.filter(({ type, name }) => {
      const known = type === 'GROUP' ? groups : type === 'HOST_GROUP' ? hostGroups : null
      return known !== null && !known.some((group) => same(group.name, name))
    })
    const all = [...problems, ...unknown.map(({ line }) => ({ line, code: 'unknown-group' }))]
    return { kind: 'options' as const, caseInsensitiveGroups, groups, hostGroups, rules, settings, problems: all }
  }

  return { read, result }
}

export type OptionsReading = ReturnType<ReturnType<typeof createOptionsReader>['result']>
