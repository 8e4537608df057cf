import { buildApp } from '#server/app.ts'
import { progressOn } from '#server/cli/progress.ts'
import { type Config, ConfigFault, readConfig } from '#server/config.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { systemClock } from '#server/doors/clock.ts'
import { mailerOf } from '#server/doors/mailer.ts'
import { Refused } from '#server/embedded/supervisor.ts'
import { type Installation, openInstallation } from '#server/installation.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  await start(readConfig(process.env))
} catch (error) {
  const known = error instanceof ConfigFault || error instanceof Refused || isPortInUse(error)
  process.stderr.write(
    `The portal did not start: ${known ? (error as Error).message : String((error as Error).stack)}\n`,
  )
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const installation = await openInstallation(config, { log: say })
  const ends = endOnSignals(installation)
  const { migrated } = installation
  if (migrated.length) say(`Migrated the database: ${migrated.length} steps`)
  if (config.demo !== 'off')
    await loadDemo(installation.db, { now: systemClock.now(), progress: progressOn(process.stdout) })
  const app = await buildApp({
    ...installation,
    config,
    clock: systemClock,
    people: SIGN_IN_PEOPLE,
    mailer: mailerOf(config),
    web: 'dist/web',
  })
  ends.before(() => app.close())
  await app.listen({ port: config.port, host: config.host })
  say(`\nThe portal is ready at ${config.origin}`)
  if (config.mail.smtpUrl === undefined) say('SMTP_URL is not set: mails are kept in the mailbox folder of DATA_DIR')
  if (config.demo !== 'off') greetDemoPeople(config)
}

/** Ctrl-C and SIGTERM finish open requests, then close the database; a second signal changes nothing. */
function endOnSignals(installation: Installation) {
  const steps: (() => Promise<unknown>)[] = [() => installation.close()]
  let ending = false
  const end = async () => {
    for (const step of steps) await step()
    say('The portal has stopped')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (ending) return
      ending = true
      end().catch((error: unknown) => {
        process.stderr.write(`The portal did not stop cleanly: ${String(error)}\n`)
        process.exit(1)
      })
    })
  return { before: (step: () => Promise<unknown>) => steps.unshift(step) }
}

function greetDemoPeople(config: Config): void {
  const width = Math.max(...SIGN_IN_PEOPLE.map((person) => person.email.length))
  say('\nSign in as one of the demo people:')
  for (const person of SIGN_IN_PEOPLE) say(`  ${person.email.padEnd(width)}  ${person.about}`)
  say(`\nStraight in as one of them: ${config.origin}/auth/login?login_hint=${SIGN_IN_PEOPLE[0]?.email}`)
}

function isPortInUse(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}
