/** Serves a fresh portal and a mail server for the journeys and the pictures, and deletes their data at the end. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayIn } from '#domain/calendar/calendar-day.ts'
import { PEOPLE } from '#e2e/support/people.ts'
import { keepMail, mailDirectory } from '#e2e/support/received-mail.ts'
import { webhookHost } from '#e2e/support/received-webhooks.ts'
import { serviceKeyFile } from '#e2e/support/service-key.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import { SIGN_IN_PEOPLE } from '#server/demo/sign-in-people.ts'
import { type Clock, systemClock } from '#server/doors/clock.ts'
import { createMailer } from '#server/doors/mailer.ts'
import { createWebhookSender } from '#server/doors/webhook-sender.ts'
import { rememberCallers } from '#server/identity/remembered-callers.ts'
import { openInstallation } from '#server/installation.ts'
import { startMailServer } from '#server/testing/outside/mail-server.ts'
import { startOpenIdProvider } from '#server/testing/outside/openid-provider.ts'
import { giveServiceKey } from '#server/testing/service-keys.ts'
import { NAME_OF_TEST_DATA, TEST_DATA } from '#server/testing/test-data.ts'

/**
 * Hours away from midnight in every time zone of the demo accounts: the day stays the same for all journeys of a run, with
 * what ends today and the reminders that were mailed.
 */
const TIME_OF_DAY = '10:00:00Z'

const dataDir = mkdtempSync(join(TEST_DATA, `${NAME_OF_TEST_DATA}${process.pid}-journeys-`))
// Started by root, the database runs as another user, who needs access to the folder.
chmodSync(dataDir, 0o755)

// Journeys read what was sent from a folder, because they run in other processes.
const mailbox = mailDirectory(Number(process.env.PORT))
rmSync(mailbox, { recursive: true, force: true })
const mailServer = await startMailServer({ onMail: ({ source }) => keepMail(mailbox, source) })

// People have signed in at a provider of their company so many seconds ago, instead of the demo's own provider.
const { SECONDS_SIGNED_IN: secondsSignedIn } = process.env
const provider = secondsSignedIn
  ? await startOpenIdProvider({
      origin: `http://127.0.0.1:${process.env.PORT}`,
      people: Object.fromEntries(Object.values(PEOPLE).map((email) => [email, { email }])),
      secondsSignedIn: Number(secondsSignedIn),
    })
  : undefined

const { TXT_RECORDS } = process.env

// Settings of the machine are not read: journeys run with the defaults.
const config = readConfig({
  PORT: process.env.PORT,
  DATA_DIR: dataDir,
  PORTAL_ENV: 'dev',
  // Enough that one account exceeds the limit of a direct export.
  DEMO_USAGE: provider ? '2000' : '60000',
  RATE_LIMIT: '100000',
  SMTP_URL: mailServer.url,
  WEBHOOK_ALLOW: [webhookHost(Number(process.env.PORT)), process.env.PROVIDER_HOST].filter(Boolean).join(','),
  ...provider?.settings,
})
const opening = openInstallation(config, { log: console.log })
let closeApp = async () => {}
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
// A killed test run cannot stop the portal, which would keep the port.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) void end()
}, 1000)
await start().catch((error: unknown) => {
  // The end of the run has closed what the start was working with.
  if (!isEnding) throw error
})

/** A clock that starts at `time` and runs from there. */
function clockFrom(time: Date): Clock {
  const ahead = time.getTime() - Date.now()
  return { now: () => new Date(Date.now() + ahead) }
}

async function start(): Promise<void> {
  const installation = await opening
  // Pictures are taken on a fixed day, and the clock stands still, so that they are the same every time.
  const { PORTAL_DAY: fixedDay } = process.env
  const start = new Date(`${fixedDay ?? dayIn('UTC', new Date())}T${TIME_OF_DAY}`)
  // A provider has its own clock, which says when people have signed in.
  const clock = provider ? systemClock : fixedDay ? { now: () => start } : clockFrom(start)
  await loadDemo(installation.db, { now: clock.now(), usageTransactions: config.demoUsage, progress: () => {} })
  // What the elastic service would have; journeys run in other processes.
  const { key } = await giveServiceKey({ db: installation.db, clock }, 'Journeys', { scopes: ['sessions'] })
  writeFileSync(serviceKeyFile(config.port), key)
  const app = await buildApp({
    ...installation,
    config,
    clock,
    people: SIGN_IN_PEOPLE,
    mailer: createMailer(config),
    webhookSender: createWebhookSender(config.webhooks),
    // A journey writes what DNS says into a file, because it runs in another process.
    findTexts: async (name) =>
      TXT_RECORDS === undefined ? [] : (JSON.parse(readFileSync(TXT_RECORDS, 'utf8'))[name] ?? []),
    callers: rememberCallers,
    web: 'dist/web',
    report: console.log,
  })
  closeApp = () => app.close()
  await app.listen({ port: config.port, host: config.host })
}

async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  try {
    await closeApp()
    await (await opening).close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(mailbox, { recursive: true, force: true })
    rmSync(serviceKeyFile(config.port), { force: true })
    process.exit()
  }
}
