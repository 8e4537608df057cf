import path from 'node:path'
import pdfmake from 'pdfmake'
import type { PdfDescription } from '#server/pdf/pdf-description.ts'
import { FONT_FILES, FONTS } from '#server/pdf/pdf-font.ts'
import { layOut } from '#server/pdf/pdf-layout.ts'
import { answerQuestions } from '#server/threads/answer-questions.ts'

/** A worker thread that makes one document after the other. It reads only its fonts, and makes no network calls. */
pdfmake.setFonts({ Roboto: FONT_FILES })
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((file) => path.dirname(file) === FONTS)

answerQuestions(
  async (description: PdfDescription) => new Uint8Array(await pdfmake.createPdf(layOut(description)).getBuffer()),
)
