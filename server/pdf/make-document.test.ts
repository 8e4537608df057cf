import { expect, test } from 'vitest'
import { makeDocument } from '#server/pdf/make-document.ts'
import { createPdfMaker } from '#server/pdf/pdf-maker.ts'

test('refuses a document that takes too long with 413 and says what to do instead', async () => {
  const { makePdf, close } = createPdfMaker({ workers: 1, timeout: 1 })
  const loadLetterhead = async () => ({ name: 'Licensing Portal', color: '#3451b2' })
  const made = makeDocument({ makePdf, loadLetterhead }, new Date('2026-03-01T12:00:00Z'), { title: 'Use', blocks: [] })
  await expect(made).rejects.toMatchObject({ statusCode: 413, message: expect.stringContaining('take the CSV file') })
  await close()
})
