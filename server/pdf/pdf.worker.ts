import path from 'node:path'
import { parentPort } from 'node:worker_threads'
import pdfmake from 'pdfmake'
import type { PdfDescription } from '#server/pdf/pdf-description.ts'
import { FONT_FILES, FONTS } from '#server/pdf/pdf-font.ts'
import { layOut } from '#server/pdf/pdf-layout.ts'
import type { PdfReply } from '#server/pdf/pdf-maker.ts'

/** A thread that makes one document after the other. It reads its fonts and nothing else, and calls nobody. */
pdfmake.setFonts({ Roboto: FONT_FILES })
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((file) => path.dirname(file) === FONTS)

parentPort?.on('message', async (description: PdfDescription) => {
  parentPort?.postMessage(await reply(description))
})

async function reply(description: PdfDescription): Promise<PdfReply> {
  try {
    return { bytes: new Uint8Array(await pdfmake.createPdf(layOut(description)).getBuffer()) }
  } catch (error) {
    return { error: String(error instanceof Error ? error.stack : error) }
  }
}
