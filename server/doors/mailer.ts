import fs from 'node:fs/promises'
import path from 'node:path'
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer'
import type { Config } from '#server/config.ts'

export type OutgoingMail = {
  readonly messageId: string
  readonly date: Date
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly attachments: readonly { readonly name: string; readonly mediaType: string; readonly content: Buffer }[]
}

/** `refused` lists the recipients that the mail server rejected. */
export type Delivery = { readonly refused: readonly string[] }

/** The mail server did not accept the mail. `permanent` says that a retry would be refused again. */
export class MailRefusedError extends Error {
  readonly permanent: boolean
  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

export type Mailer = {
  /** Whether mails are sent to people, or only written to the mailbox folder because no mail server is set. */
  readonly kind: 'sent' | 'mailbox'
  send(mail: OutgoingMail): Promise<Delivery>
  /** Aborts a mail that is being sent. */
  close(): void
}

export function createMailer(config: Pick<Config, 'mail' | 'dataDir'>): Mailer {
  const { smtpUrl, from } = config.mail
  return smtpUrl === undefined ? mailboxMailer(path.join(config.dataDir, 'mailbox'), from) : smtpMailer(smtpUrl, from)
}

/** Connects, encrypts and signs in as for a mail, but sends none. Rejects with the reason. */
export async function tryMailServer(smtpUrl: string): Promise<void> {
  const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }
  const transport = createTransport({ url: smtpUrl, ...patience })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** A mail's content comes from our own database: nothing in it may make the library read files or addresses. */
const CONTENT_ONLY = { disableFileAccess: true, disableUrlAccess: true }

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    // The library would retry by itself when a connection breaks, although the server may have accepted the mail.
    maxRequeues: 0,
    connectionTimeout: 20_000,
    greetingTimeout: 30_000,
    // The timeout that RFC 5321 asks for after the last data: a shorter one leads to duplicate mails.
    socketTimeout: 600_000,
    ...CONTENT_ONLY,
  })
  return {
    kind: 'sent',
    async send(mail) {
      try {
        const { rejected } = await transport.sendMail(toMessage(mail, from))
        return { refused: rejected.map(String) }
      } catch (error) {
        throw notTaken(error as NodemailerError)
      }
    },
    close: () => transport.close({ force: true }),
  }
}

/** Retrying helps when credentials are refused, as the setting will be fixed. A refused recipient or content stays refused. */
function notTaken(error: NodemailerError): MailRefusedError {
  const isAboutTheMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return new MailRefusedError(error.message, isAboutTheMail && error.permanent === true)
}

function mailboxMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...CONTENT_ONLY })
  return {
    kind: 'mailbox',
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(mail, from))
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      // The file is named after the mail: written again after a crash, it is still one file.
      const file = path.join(folder, fileNameOf(mail))
      await fs.writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await fs.rename(`${file}.part`, file)
      return { refused: [] }
    },
    close: () => {},
  }
}

function fileNameOf({ date, messageId }: OutgoingMail): string {
  const second = date.toISOString().slice(0, 19).replaceAll(':', '')
  return `${second}-${messageId.replace(/@.*/, '').replaceAll(/[^a-zA-Z0-9-]/g, '')}.eml`
}

/** Addresses as objects: a list written as text would be parsed, and a comma in one address would split it. */
function toMessage(mail: OutgoingMail, from: string): SendMailOptions {
  const addresses = (list: readonly string[]) => list.map((address) => ({ name: '', address }))
  return {
    messageId: mail.messageId,
    date: mail.date,
    from,
    to: addresses(mail.to),
    cc: addresses(mail.cc),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // Marks mails as automatic, so that vacation notices do not answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: mail.attachments.map(({ name, mediaType, content }) => ({
      filename: name,
      contentType: mediaType,
      content,
    })),
  }
}
