import { createOptionsReader, type OptionsReading } from '#domain/license-use/logs/options-reader.ts'
import {
  createStatementJoiner,
  type OptionsStatement,
  parseOptionsStatement,
  type Selector,
} from '#domain/license-use/logs/options-statement.ts'

/** In characters. Options files of the largest sites stay far below. */
export const MAX_OPTIONS_TEXT = 256 * 1024
export const MAX_OPTIONS_LINES = 5000
/** The reader skips longer lines. */
const MAX_LINE = 4 * 1024

/** A statement with the lines that continue it, or a comment or blank line. */
export type OptionsPart = {
  /** The number of its first line, counted from 1. */
  readonly line: number
  /** To the letter, line breaks included: all parts together are the file. */
  readonly written: string
  /** Null for comments, blank lines and lines that are too long to be read. */
  readonly statement: OptionsStatement | null
  readonly isTooLong: boolean
}

/** Why a text is too large for an options file, or cannot be one; undefined if it can. */
export function optionsTextProblem(text: string): string | undefined {
  if (text.length > MAX_OPTIONS_TEXT)
    return `An options file has at most ${MAX_OPTIONS_TEXT.toLocaleString('en-US')} characters.`
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  if (lines > MAX_OPTIONS_LINES)
    return `An options file has at most ${MAX_OPTIONS_LINES.toLocaleString('en-US')} lines.`
  return undefined
}

/** Divides a file into its statements. Nothing is lost: `writeOptions` gives the text back to the letter. */
export function readOptions(text: string): OptionsPart[] {
  const joiner = createStatementJoiner()
  const parts: OptionsPart[] = []
  let written = ''
  for (const { line, statement, isTooLong, isOver, raw } of linesOf(text).map((raw) => ({
    raw,
    ...joiner.read(bareLine(raw)),
  }))) {
    written += raw
    if (!isOver) continue
    parts.push({ line, written, statement: statement === null ? null : parseOptionsStatement(statement), isTooLong })
    written = ''
  }
  const last = joiner.end()
  if (last) parts.push({ line: last.line, written, statement: parseOptionsStatement(last.statement), isTooLong: false })
  return parts
}

export const writeOptions = (parts: readonly Pick<OptionsPart, 'written'>[]): string =>
  parts.map(({ written }) => written).join('')

/** What the rules of a file mean, with the number of the first line of each. */
export function readOptionsRules(text: string): OptionsReading {
  const reader = createOptionsReader()
  for (const line of linesOf(text)) reader.read(bareLine(line))
  return reader.result()
}

/** Each with its line break. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return [...lines.map((line) => `${line}\n`), ...(last ? [last] : [])]
}

function bareLine(line: string) {
  const text = line.replace(/\r?\n$/, '').replace(/^\ufeff/, '')
  return text.length > MAX_LINE ? { text: '', isTooLong: true } : { text, isTooLong: false }
}

/** A statement as one line of an options file. */
export function formatOptionsStatement(statement: Exclude<OptionsStatement, { kind: 'unreadable' }>): string {
  if (statement.kind === 'case') return `GROUPCASEINSENSITIVE ${statement.isOn ? 'ON' : 'OFF'}`
  if (statement.kind === 'group') {
    const { isHostGroup, name, members } = statement
    return formatWords([isHostGroup ? 'HOST_GROUP' : 'GROUP', name, ...members])
  }
  const { feature, selector } = statement
  const named = feature === null ? [] : [formatFeature(feature, selector)]
  if (statement.kind === 'setting') return formatWords([statement.setting, ...named, statement.value])
  const { rule, count, type, name } = statement
  return formatWords([rule, ...(count === null ? [] : [String(count)]), ...named, type, name])
}

export function formatFeature(feature: string, selector: Selector): string {
  if (selector === null) return feature
  const pairs = Object.entries(selector).map(([name, value]) => `${name}=${value}`)
  const words = [feature, ...pairs]
  return words.join(words.some((word) => word.includes(':')) ? ' ' : ':')
}

const formatWords = (words: readonly string[]): string => words.map(quoted).join(' ')

/** A backslash at the end of the line would continue it. */
const quoted = (word: string): string => (word === '' || /\s/.test(word) || word.endsWith('\\') ? `"${word}"` : word)
