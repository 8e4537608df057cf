import type { emailLicense as operation } from '#contract/activations/license-files/license-files.ts'
import { hostIdLabel, licenseServerPath } from '#domain/activations/hosts/host.ts'
import { licenseRecipients } from '#domain/activations/license-files/license-file.ts'
import { licenseLines } from '#domain/activations/license-files/license-lines.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import type { Config } from '#server/config.ts'
import { HttpError } from '#server/http/http-error.ts'
import { loadAccount } from '#server/modules/accounts/accounts.public.ts'
import type { HostRow } from '#server/modules/activations/hosts/hosts.queries.ts'
import { readMachine, requireHost, toHostIdentity } from '#server/modules/activations/hosts/named-host.ts'
import { findFile } from '#server/modules/activations/license-files/license-files.queries.ts'
import { requireLastFile, type VisibleFile } from '#server/modules/activations/license-files/read-license-files.ts'
import { authorOf, type StepAuthor } from '#server/modules/activations/step-author.ts'
import { action, facts, type Mail, pageUrl, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import type { Call, Result } from '#server/operations/route.ts'
import type { Services } from '#server/services.ts'

const NOT_THE_SUPPORT_ADDRESS = 'Emails go to you or to the support address of the account, and to nobody else.'
const DIFFERENT_FILE =
  'A newer license file has been generated in the meantime. Reload the license server and send that one.'

/** Sends the last generated file. The attachment is always the stored file, not the text that the caller sent. */
export async function emailLicense(call: Call<typeof operation>): Promise<Result<typeof operation>> {
  const { actor, body, db, services, standing } = call
  const { customerNumber } = standing
  const account = await loadAccount(db, customerNumber)
  const { to, cc } = await readRecipients(call, account.support_email)
  const host = await requireHost(db, customerNumber, readMachine(body.serverId))
  const visible = await requireLastFile(db, actor, host)
  const row = await findFile(db, customerNumber, visible.file.id)
  if (!isSameText(body.licenseText, [visible.text, row?.own_text ?? ''])) throw new HttpError(409, DIFFERENT_FILE)

  const { licenseFileName } = visible.file
  const id = await sendLicense(authorOf(call), services, { account, host, visible, to, cc })
  return { data: { id, to, cc, licenseFileName } }
}

type LicenseMail = {
  readonly account: { readonly customer_number: string; readonly name: string }
  readonly host: HostRow
  readonly visible: VisibleFile
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

/** Sends a license file, and answers the id of the email. */
export async function sendLicense(
  { db, email, audit }: StepAuthor,
  services: Pick<Services, 'config' | 'clock'>,
  { account, host, visible, to, cc }: LicenseMail,
): Promise<string> {
  const mail = licenseMail(visible, host, account, services.config)
  // Limited per license server: each save mails a new file, and a day of work changes more than five servers.
  const limit = { person: email, kind: `license file of ${host.host_id}` }
  const id = await queueMail(db, services, { ...mail, to, cc }, limit)
  await audit({
    customerNumber: account.customer_number,
    target: host.host_id,
    after: { id: visible.file.id, server: host.host_name, to: [...to], cc: [...cc] },
  })
  return id
}

async function readRecipients(call: Call<typeof operation>, support: string) {
  const { body } = call
  const given = [body.supportEmailTo ?? '', body.supportEmailCc ?? ''].map(normalizedEmail)
  const known = normalizedEmail(support)
  if (given.some((address) => address !== '' && address !== known))
    await call.refuse(new HttpError(403, NOT_THE_SUPPORT_ADDRESS))
  const [supportEmailTo = '', supportEmailCc = ''] = given.map((address) => (address === '' ? '' : support.trim()))
  return licenseRecipients({ supportEmailTo, supportEmailCc }, call.actor.email)
}

/** A text by daemon is the same file if it has the same licenses, each with the same signature. */
function isSameText(given: string | Record<string, string> | null | undefined, texts: readonly string[]): boolean {
  if (given === undefined || given === null || given === '') return true
  if (typeof given === 'string') return texts.includes(given)
  const joined = licensesIn(Object.values(given).join('\n'))
  return texts.some((text) => licensesIn(text) === joined)
}

function licensesIn(text: string): string {
  const features = licenseLines(text).filter(({ keyword }) => keyword === 'INCREMENT' || keyword === 'FEATURE')
  return features
    .map(({ words }) => words.join(' '))
    .sort()
    .join('\n')
}

function licenseMail(
  { file, text }: VisibleFile,
  host: HostRow,
  account: { customer_number: string; name: string },
  { brand, origin }: Config,
): Omit<Mail, 'to'> {
  const { serverName } = toHostIdentity(host)
  const title = `License file for ${serverName}`
  const page = pageUrl(origin, licenseServerPath(host.host_id), account.customer_number)
  return {
    customerNumber: account.customer_number,
    subject: `${brand.name}: ${title}`,
    content: {
      title,
      blocks: [
        paragraph('The license file is attached. Install it on the license server and restart the license manager.'),
        facts(
          ['License server', `${serverName} (${hostIdLabel(toHostIdentity(host))})`, page],
          ['Account', `${account.customer_number} (${account.name})`],
          ['File', file.licenseFileName],
          ['Generated by', file.generatedBy],
        ),
        action('Open license server', page),
      ],
    },
    attachments: [{ name: file.licenseFileName, mediaType: 'text/plain', content: Buffer.from(text) }],
  }
}
