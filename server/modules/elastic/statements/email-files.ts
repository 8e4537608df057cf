import type { emailForecastFiles } from '#contract/elastic/balances/run-out-forecast.ts'
import { can } from '#domain/access/can.ts'
import { MAILED_KIND_NAMES, type ReportKind } from '#domain/elastic/statements/mailed-statement.ts'
import { normalizedEmail } from '#domain/settings/email-address.ts'
import { BusinessRefusal, HttpError } from '#server/http/http-error.ts'
import { insertMailedStatement } from '#server/modules/elastic/statements/mailed-statement.queries.ts'
import { contactsOf } from '#server/modules/elastic/statements/statement-schedule.ts'
import { action, facts, paragraph, queueMail } from '#server/modules/messages/messages.public.ts'
import { type CsvTable, csvTableBytes } from '#server/operations/file-answer.ts'
import type { Call } from '#server/operations/route.ts'
import { type Described, makeDocument } from '#server/pdf/make-document.ts'
import { type ReportHeader, reportFacts } from '#server/pdf/report-facts.ts'

/** What a screen shows, as a document. */
export type Report = {
  readonly kind: ReportKind
  readonly header: ReportHeader
  /** Of the PDF file, without its ending. */
  readonly fileName: string
  readonly described: Described
  /** Facts for the email in addition to account and period. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** The address of the screen without its customer. */
  readonly screen: { readonly path: 'statementv2' | 'transactions'; readonly search: Readonly<Record<string, string>> }
}
export type CsvFile = { readonly name: string; readonly content: Buffer }

export const toCsvFile = (table: CsvTable): CsvFile => ({ name: table.fileName, content: csvTableBytes(table) })

/** Many mail servers refuse more than 10 MB, and a file grows by a third on its way. */
const MAX_ATTACHED = 7_000_000
const TOO_LARGE = 'The files are too large for an email. Narrow the filter or the dates, or download them.'
const NOTHING_TO_EMAIL = 'There is nothing to email.'

type EmailCall = Pick<
  Call<typeof emailForecastFiles>,
  'actor' | 'audit' | 'body' | 'db' | 'now' | 'refuse' | 'services' | 'standing'
>

/** Mails what a screen shows as PDF and CSV files, as it is now. The Emailed tab keeps the PDF file. */
export async function emailFiles(
  call: EmailCall,
  load: () => Promise<{ report: Report; csv: readonly CsvFile[] } | undefined>,
): Promise<{ data: null }> {
  const { actor, db, now, services, standing } = call
  const { customerNumber } = standing
  const to = await readRecipients(call)
  const loaded = await load()
  if (!loaded) throw new BusinessRefusal('NOTHING_TO_DO', NOTHING_TO_EMAIL)
  const { report, csv } = loaded
  const { kind, header, described, screen } = report
  const pdf = { name: `${report.fileName}.pdf`, content: await makeDocument(services, now, described) }
  if ([pdf, ...csv].reduce((bytes, { content }) => bytes + content.length, 0) > MAX_ATTACHED)
    throw new BusinessRefusal('TOO_MANY_ROWS', TOO_LARGE)
  await insertMailedStatement(db, {
    customer_number: customerNumber,
    kind,
    period_from: header.from,
    period_to: header.to,
    activation_id: '',
    mailed_at: now,
    mailed_by: actor.email,
    file_name: pdf.name,
    pdf: pdf.content,
  })
  const { brand, origin } = services.config
  const search = new URLSearchParams({ customer: customerNumber, ...screen.search })
  const mail = {
    customerNumber,
    to,
    subject: `${brand.name}: ${described.title} of ${customerNumber} (${header.customerName}), ${header.from} to ${header.to}`,
    content: {
      title: described.title,
      blocks: [
        paragraph(`The figures as of now are attached as PDF and CSV files. ${actor.email} sends them to you.`),
        facts(...reportFacts(header), ...report.facts),
        action('Open the portal', `${origin}/${screen.path}?${search}`),
      ],
    },
    attachments: [{ ...pdf, mediaType: 'application/pdf' }, ...csv.map((file) => ({ ...file, mediaType: 'text/csv' }))],
  }
  const limit = { person: actor.email, kind: `${MAILED_KIND_NAMES[kind].toLowerCase()} files` }
  const id = await queueMail(db, services, mail, limit)
  await call.audit({ target: pdf.name, after: { from: header.from, to: header.to, recipients: to, mail: id } })
  return { data: null }
}

/** The caller, or contacts of the account: whoever may schedule statements for them may mail them something now. */
async function readRecipients({ actor, body, db, refuse, standing }: EmailCall): Promise<string[]> {
  const recipients = [...new Set(body.recipients.map(normalizedEmail))].sort()
  const others = recipients.filter((email) => email !== actor.email)
  if (others.length === 0) return recipients
  const decision = can(actor, 'elastic.schedule-statements', standing)
  if (!decision.allowed) await refuse(new HttpError(403, decision.reason), { after: { recipients } })
  const contacts = await contactsOf(db, standing.customerNumber)
  const stranger = others.find((email) => !contacts.has(email))
  if (stranger !== undefined) throw new HttpError(400, `${stranger} is not a contact of this account.`)
  return recipients
}
