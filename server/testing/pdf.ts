import { getDocumentProxy } from 'unpdf'
import { createPdfMaker } from '#server/pdf/pdf-maker.ts'

type Item = { readonly str: string; readonly transform: number[]; readonly width: number }

/** The selectable text of a PDF file, line by line and page by page, and its info. */
export async function readPdf(bytes: Uint8Array) {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { info } = await document.getMetadata()
  const pages: string[][] = []
  let right = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const items = (await page.getTextContent()).items.filter((item): item is Item & typeof item => 'str' in item)
    for (const { transform, width } of items) right = Math.max(right, (transform[4] ?? 0) + width)
    pages.push(linesOf(items))
  }
  return { info: info as Record<string, unknown>, pages, lines: pages.flat(), right }
}

/** Pieces at the same height are one line, from left to right. */
function linesOf(items: readonly Item[]): string[] {
  const byHeight = new Map<number, Item[]>()
  for (const item of items.filter(({ str }) => str.trim() !== '')) {
    const height = Math.round(item.transform[5] ?? 0)
    byHeight.set(height, [...(byHeight.get(height) ?? []), item])
  }
  return [...byHeight]
    .sort(([one], [other]) => other - one)
    .map(([, line]) =>
      line
        .sort((one, other) => (one.transform[4] ?? 0) - (other.transform[4] ?? 0))
        .map(({ str }) => str.trim())
        .join(' '),
    )
}

/** The dependencies for making documents, for tests that call a use case directly. */
export const pdfParts = () => ({
  ...createPdfMaker(),
  loadLetterhead: async () => ({ name: 'Licensing Portal', color: '#3451b2' }),
})
