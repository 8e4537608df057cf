import fs from 'node:fs'
import type { Reported } from '#domain/upkeep/finding.ts'
import type { LoneCommand } from '#server/cli/command.ts'
import { readArguments } from '#server/cli/command.ts'
import { ConfigError } from '#server/config/config-error.ts'
import { type Config, readConfig } from '#server/config.ts'
import { examine } from '#server/doctor/examine.ts'
import { failed } from '#server/doctor/finding.ts'
import { openInstallation } from '#server/installation.ts'

export const doctor: LoneCommand = {
  name: 'doctor',
  usage: '[--full] [--json]',
  summary: 'Check the installation and say what to do; fails if anything is broken',
  async runAlone(words, { env, now, say, log }) {
    const { options } = readArguments(words, [], { full: { type: 'boolean' }, json: { type: 'boolean' } })
    const found = await look(env, { now, isFull: options.full ?? false }, log)
    if (options.json) say(JSON.stringify(found, null, 2))
    else for (const finding of found) say(lineOf(finding))
    const broken = found.filter(({ level }) => level === 'failed').length
    if (broken > 0) throw new Error(`${broken} of ${found.length} checks failed`)
  },
}

type Options = { readonly now: Date; readonly isFull: boolean }

async function look(env: NodeJS.ProcessEnv, options: Options, log: (line: string) => void): Promise<Reported[]> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [{ check: 'settings', ...failed(error.message, 'Correct the setting: docs/settings.md') }]
  }
  if (config.databaseUrl === undefined && !fs.existsSync(config.dataDir))
    return [
      {
        check: 'database',
        ...failed(`there is no installation in ${config.dataDir}`, 'Set DATA_DIR or DATABASE_URL as for npm start'),
      },
    ]
  try {
    const installation = await openInstallation(config, {
      log,
      sharesDatabase: true,
      keepsVersion: true,
      role: 'owner if known',
    })
    try {
      return await examine(installation.db, { ...options, config })
    } finally {
      await installation.close()
    }
  } catch (error) {
    const advice = config.databaseUrl
      ? 'Is PostgreSQL running, and DATABASE_URL right?'
      : 'See postgres.log in DATA_DIR'
    return [{ check: 'database', ...failed((error as Error).message, advice) }]
  }
}

export function lineOf({ check, level, text, advice }: Reported): string {
  return `${level.padEnd(7)}  ${check}: ${advice ? `${sentence(text)} ${sentence(advice)}` : text}`
}

const sentence = (text: string) => (/[.?!]$/.test(text) ? text : `${text}.`)
