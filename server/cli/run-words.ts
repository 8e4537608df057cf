import os from 'node:os'
import { BUILD_INFO } from '#server/build-info.ts'
import { auditCheckpoint, auditRemoveOld, auditVerify } from '#server/cli/audit.ts'
import { backup, restore } from '#server/cli/backup.ts'
import { type Command, type Context, type LoneCommand, readArguments, UsageError } from '#server/cli/command.ts'
import { doctor } from '#server/cli/doctor.ts'
import { drill } from '#server/cli/drill.ts'
import { exportFile } from '#server/cli/export.ts'
import { importFile } from '#server/cli/import.ts'
import { keyRotate, keyUnwrap, keyWrap } from '#server/cli/installation-key.ts'
import { keysCreate, keysList, keysRevoke } from '#server/cli/keys.ts'
import { licenseKeysCreate, licenseKeysList, licenseKeysRotate, licenseVerify } from '#server/cli/license.ts'
import { licenseUseRead } from '#server/cli/license-use.ts'
import { progressOn } from '#server/cli/progress.ts'
import { shardDatabase } from '#server/cli/shard.ts'
import { pinUnlock, usageCheck, usageRebuild } from '#server/cli/usage.ts'
import { usageArchive, usageDetach, usageRestore } from '#server/cli/usage-archive.ts'
import { usersGrant, usersList, usersRevoke } from '#server/cli/users.ts'
import { ConfigError } from '#server/config/config-error.ts'
import { readConfig } from '#server/config.ts'
import { InstallationSecrets } from '#server/db/secrets.queries.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { systemClock } from '#server/doors/clock.ts'
import { StartupError } from '#server/embedded/supervisor.ts'
import { auditContextOf, OPERATOR } from '#server/identity/principal.ts'
import { openInstallation } from '#server/installation.ts'

const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'Load the parts of the demo data that are missing (not in production)',
  async run(words, { config, installation, secrets, now, say, progress }) {
    readArguments(words, [], {})
    if (config.environment === 'prod') throw new UsageError('demo is refused with PORTAL_ENV=prod')
    const loaded = await loadDemo(installation.db, { now, usageTransactions: config.demoUsage, secrets, progress })
    say(loaded.length ? `Loaded: ${loaded.join(', ')}` : 'The demo data is complete')
  },
}

/** Opening the installation migrates it; this prints what was migrated. */
const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the database to the newest version',
  async run(words, { installation, say }) {
    readArguments(words, [], {})
    const { isNew, steps } = installation.migrated
    if (isNew) say('Created the tables')
    for (const name of steps) say(`Migrated ${name}`)
    if (!isNew && !steps.length) say('The database is up to date')
  },
}

const COMMANDS: readonly (Command | LoneCommand)[] = [
  migrate,
  usersGrant,
  usersRevoke,
  usersList,
  keysCreate,
  keysList,
  keysRevoke,
  licenseVerify,
  licenseKeysCreate,
  licenseKeysRotate,
  licenseKeysList,
  licenseUseRead,
  usageCheck,
  usageRebuild,
  usageArchive,
  usageDetach,
  usageRestore,
  pinUnlock,
  auditVerify,
  auditCheckpoint,
  auditRemoveOld,
  backup,
  restore,
  drill,
  shardDatabase,
  keyWrap,
  keyRotate,
  keyUnwrap,
  doctor,
  importFile,
  exportFile,
  demo,
]
const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** The environment of a command: the process, or a test. */
export type Caller = {
  readonly env: NodeJS.ProcessEnv
  readonly stdout: Output
  readonly stderr: Output & { readonly isTTY?: boolean }
}
type Output = { write(text: string): unknown }

/** Runs the typed command and returns the exit code. */
export async function runWords(words: string[], caller: Caller): Promise<number> {
  const say = (line: string) => void caller.stdout.write(`${line}\n`)
  const complain = (text: string, code: number) => {
    caller.stderr.write(`${text}\n`)
    return code
  }
  // Where root runs a packaged portal, the command is the user of the service, who cannot open all of root's files.
  const explain = ({ message }: Error) =>
    message.includes('EACCES') ? `${message} (as the user ${os.userInfo().username})` : message
  if (!words.length || words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
    say(help(words))
    return EXIT.ok
  }
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, i) => words[i] === word))
  if (!command) return complain(`There is no command "${words.join(' ')}". Try --help.`, EXIT.usage)
  try {
    await runCommand(command, words.slice(command.name.split(' ').length), caller, say)
    return EXIT.ok
  } catch (error) {
    if (error instanceof UsageError)
      return complain(`${explain(error)}\nUsage: ${BUILD_INFO.command} ${command.name} ${command.usage}`, EXIT.usage)
    if (error instanceof ConfigError || error instanceof StartupError) return complain(error.message, EXIT.usage)
    return complain(explain(error as Error) || String(error), EXIT.failed)
  }
}

async function runCommand(
  command: Command | LoneCommand,
  args: string[],
  { env, stderr }: Caller,
  say: Context['say'],
) {
  const log = (line: string) => void stderr.write(`${line}\n`)
  if ('runAlone' in command) return command.runAlone(args, { env, now: systemClock.now(), say, log })
  const config = readConfig(env)
  const installation = await openInstallation(config, {
    log,
    sharesDatabase: true,
    keepsVersion: command.keepsVersion,
    role: command.role,
  })
  try {
    const now = systemClock.now()
    const audit = auditContextOf(OPERATOR, { at: now, address: 'command line', requestId: '' })
    const secrets = new InstallationSecrets(config.installationKeys)
    await command.run(args, { config, installation, secrets, now, audit, say, progress: progressOn(stderr) })
  } finally {
    await installation.close()
  }
}

function help(words: string[]): string {
  const matching = COMMANDS.filter(({ name }) => words.some((word) => name.split(' ').includes(word)))
  const shown = matching.length ? matching : COMMANDS
  const heads = shown.map(({ name, usage }) => `${name} ${usage}`.trim())
  const width = Math.max(...heads.map((head) => head.length))
  return [
    `Usage: ${BUILD_INFO.command} <command> [arguments]`,
    '',
    ...shown.map(({ summary }, i) => `  ${heads[i]?.padEnd(width)}  ${summary}`),
    '',
    'Settings come from the environment, as for the portal (DATA_DIR, DATABASE_URL …): docs/settings.md.',
    'Exit codes: 0 done, 1 failed, 2 called wrongly.',
  ].join('\n')
}
