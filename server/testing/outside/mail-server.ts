import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = { readonly from: string; readonly to: string[]; readonly source: string }
export type MailServer = {
  readonly url: string
  readonly port: number
  readonly mails: ReceivedMail[]
  close(): Promise<void>
}

type Behavior = {
  /** The port from before, for a server that comes back. */
  port?: number
  /** An answer such as `550 no such mailbox` for a recipient; undefined accepts. */
  refuse?(recipient: string): string | undefined
  /** Runs before a mail is accepted. */
  onMail?(mail: ReceivedMail): Promise<void> | void
}

/** A real SMTP server on loopback that keeps what it is sent. */
export async function startMailServer({ port = 0, refuse, onMail }: Behavior = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      const answer = refuse?.(address)
      if (answer === undefined) return done()
      const [code, ...text] = answer.split(' ')
      done(Object.assign(new Error(text.join(' ')), { responseCode: Number(code) }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        }
        await onMail?.(mail)
        mails.push(mail)
        done()
      })
    },
  })
  // A client that is killed in the middle of a conversation is part of the tests.
  server.on('error', () => {})
  const listening: Server = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
