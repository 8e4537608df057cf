import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/db/schema.ts'

export type UploadKey = { readonly customerNumber: string; readonly uploadId: string }
export type PartPlace = { readonly position: number; readonly length: number }

export async function insertUploadPart(
  db: Kysely<DB>,
  { customerNumber, uploadId }: UploadKey,
  { position, length }: PartPlace,
  content: Buffer,
  now: Date,
): Promise<void> {
  await sql`
    insert into license_upload_part (customer_number, upload_id, position, length, content, arrived_at)
    values (${customerNumber}, ${uploadId}, ${position}, ${length}, ${content}, ${now}) on conflict do nothing`.execute(
    db,
  )
}

/** Bytes of the uploads of an account that wait to be read. */
export async function sumUploadBytes(db: Kysely<DB>, customerNumber: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(length), 0)::float8 as bytes from license_upload_part where customer_number = ${customerNumber}`.execute(
    db,
  )
  return rows[0]?.bytes ?? 0
}

export async function listUploadParts(db: Kysely<DB>, { customerNumber, uploadId }: UploadKey): Promise<PartPlace[]> {
  const { rows } = await sql<PartPlace>`
    select position::float8 as position, length from license_upload_part
     where customer_number = ${customerNumber} and upload_id = ${uploadId} order by license_upload_part.position`.execute(
    db,
  )
  return rows
}

export async function findUploadPart(
  db: Kysely<DB>,
  { customerNumber, uploadId }: UploadKey,
  position: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from license_upload_part
     where customer_number = ${customerNumber} and upload_id = ${uploadId} and position = ${position}`.execute(db)
  return rows[0]?.content
}

export async function deleteUpload(db: Kysely<DB>, { customerNumber, uploadId }: UploadKey): Promise<void> {
  await sql`
    delete from license_upload_part where customer_number = ${customerNumber} and upload_id = ${uploadId}`.execute(db)
}

/** Uploads that were never read to their end. */
export async function deleteUploadsBefore(db: Kysely<DB>, customerNumber: string, before: Date): Promise<void> {
  await sql`delete from license_upload_part where customer_number = ${customerNumber} and arrived_at < ${before}`.execute(
    db,
  )
}
