import fs from 'node:fs'
import { ConfigError } from '#server/config/config-error.ts'
import { findMeantName } from '#server/config/misspelled-name.ts'
import { SETTINGS, type Setting } from '#server/config/settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>
type Name = keyof typeof SETTINGS
export type Values = { readonly [N in Name]: (typeof SETTINGS)[N]['fallback'] }

const ALL = Object.entries(SETTINGS) as [Name, Setting][]
const SECRET_FILES = ALL.filter(([, { isSecret }]) => isSecret).map(([name]) => `${name}_FILE`)
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(SETTINGS), ...SECRET_FILES])

/** Reads every setting, whether it is used or not: a wrong one is found at the start, and not at night. */
export function readSettings(given: Environment): Values {
  refuseUnknown(given)
  const env = withSecretFiles(given)
  for (const [name, { needs }] of ALL)
    for (const needed of needs)
      if (text(env, name) !== undefined && text(env, needed) === undefined)
        throw new ConfigError(`${needed} is not set, and ${name} needs it`)
  return Object.fromEntries(ALL.map(([name, setting]) => [name, readOne(env, name, setting)])) as Values
}

function readOne(env: Environment, name: Name, { kind, fallback, isSecret }: Setting): unknown {
  const value = text(env, name)
  if (value === undefined) return fallback
  const read = kind.parse(value)
  if (read !== undefined) return read
  const wrong = kind.findWrong?.(value)
  if (isSecret) throw new ConfigError(`${name} must be ${kind.form}${wrong ? `: entry ${wrong.place} is not` : ''}`)
  throw new ConfigError(`${name} must be ${kind.form}, not ${JSON.stringify(wrong?.text ?? value)}`)
}

/** A name that looks like one of ours: the setting that somebody meant would silently have its default. */
function refuseUnknown(env: Environment): void {
  for (const name of Object.keys(env)) {
    if (KNOWN.has(name) || text(env, name) === undefined) continue
    const base = name.replace(/_FILE$/, '')
    if (base !== name && KNOWN.has(base))
      throw new ConfigError(`${name} is not a setting: only secrets are read from files, so set ${base}`)
    const meant = findMeantName(name, KNOWN)
    if (meant !== undefined) throw new ConfigError(`${name} is not a setting: did you mean ${meant}?`)
  }
}

function withSecretFiles(env: Environment): Environment {
  const read: Record<string, string> = {}
  for (const fileName of SECRET_FILES) {
    const file = text(env, fileName)
    if (file === undefined) continue
    const name = fileName.replace(/_FILE$/, '')
    if (text(env, name) !== undefined) throw new ConfigError(`${name} and ${fileName} are both set: set one of them`)
    read[name] = readSecret(fileName, file, env)
  }
  return { ...env, ...read }
}

function readSecret(name: string, file: string, env: Environment): string {
  let secret: string
  try {
    if (text(env, 'PORTAL_ENV') === 'prod' && (fs.statSync(file).mode & 0o004) !== 0)
      throw new ConfigError(`${name} ${file} can be read by every user of this machine: chmod o-rwx ${file}`)
    secret = fs.readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${name} ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  if (secret === '') throw new ConfigError(`${name} ${file} is empty`)
  return secret
}

function text(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}
