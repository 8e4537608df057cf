import { Readable } from 'node:stream'
import type { getMailedStatement as operation } from '#contract/elastic/statements/mailed-statements.ts'
import { HttpError } from '#server/http/http-error.ts'
import { findMailedFile } from '#server/modules/elastic/statements/mailed-statement.queries.ts'
import { type Call, SentFile } from '#server/operations/route.ts'

export async function getMailedStatement({ audit, body, db, standing }: Call<typeof operation>): Promise<SentFile> {
  const file = await findMailedFile(db, standing.customerNumber, body.id)
  if (!file) throw new HttpError(404, 'There is no such statement.')
  await audit({ target: file.file_name, after: { id: file.id } })
  return new SentFile(file.file_name, Readable.from([file.pdf]), file.pdf.length, 'application/pdf')
}
