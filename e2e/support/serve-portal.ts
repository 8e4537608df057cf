/** Serves a fresh portal and a mail server for the journeys and takes their data away again when they end. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepMail, mailDirectory } from '#e2e/support/received-mail.ts'
import { startMailServer } from '#server/testing/mail-server.ts'

/** What the portal takes from the developer's shell. Its settings are not among it: journeys see the defaults. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'PORT']

const dataDir = mkdtempSync(join(tmpdir(), 'portal-e2e-'))
// As root, the database runs as another user, who must be able to walk in.
chmodSync(dataDir, 0o755)

// Journeys read what was sent from a folder, because they run in other processes.
const mailbox = mailDirectory(Number(process.env.PORT))
rmSync(mailbox, { recursive: true, force: true })
const mailServer = await startMailServer({ onMail: ({ source }) => keepMail(mailbox, source) })

const portal = spawn(process.execPath, ['server/main.ts'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
    DATA_DIR: dataDir,
    PORTAL_ENV: 'dev',
    // Enough for one account to have more than can be exported at once.
    DEMO_USAGE: '60000',
    RATE_LIMIT: '100000',
    SMTP_URL: mailServer.url,
  },
})
portal.on('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(mailbox, { recursive: true, force: true })
  process.exit(code ?? 1)
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => portal.kill('SIGTERM'))

// A test run that was killed outright cannot say goodbye, and the portal would keep the port for ever.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) portal.kill('SIGTERM')
}, 1000)
