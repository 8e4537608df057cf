/** Serves a fresh portal and a mail server for the journeys and deletes their data at the end. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepMail, mailDirectory } from '#e2e/support/received-mail.ts'
import { startMailServer } from '#server/testing/mail-server.ts'

/** Environment variables that the portal inherits. Settings are not among them: journeys run with the defaults. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'PORT']

const dataDir = mkdtempSync(join(tmpdir(), 'portal-e2e-'))
// Started by root, the database runs as another user, who needs access to the folder.
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
    // Enough that one account exceeds the limit of a direct export.
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

// A killed test run cannot stop the portal, which would keep the port.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) portal.kill('SIGTERM')
}, 1000)
