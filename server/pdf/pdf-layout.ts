import type { Content, createPdf, TableCell, TableLayout } from 'pdfmake'
import { columnWidths } from '#server/pdf/column-widths.ts'
import { dayChartOf, metersOf, pieOf } from '#server/pdf/pdf-charts.ts'
import type {
  Letterhead,
  PdfBlock,
  PdfColumn,
  PdfDescription,
  PdfLogo,
  PdfRow,
  PdfTable,
} from '#server/pdf/pdf-description.ts'
import { printable, textWidth } from '#server/pdf/pdf-font.ts'
import { CELL_PADDING, EDGE, FONT_SIZE, INK, SOFT } from '#server/pdf/pdf-style.ts'
import { svg } from '#server/pdf/svg.ts'

type Layout = Parameters<typeof createPdf>[0]

/** In points. */
const PAGE = { short: 595.28, long: 841.89, margin: 40, top: 72, bottom: 52 }
const LABEL_WIDTH = 130

/** Lays out a document: A4, with the letterhead and the page number on every page. */
export function layOut(description: PdfDescription): Layout {
  const { title, language, createdAt, letterhead, subtitle, footnote, blocks, isLandscape = false } = description
  const width = (isLandscape ? PAGE.long : PAGE.short) - 2 * PAGE.margin
  return {
    info: {
      title,
      author: letterhead.name,
      creator: letterhead.name,
      producer: letterhead.name,
      creationDate: createdAt,
    },
    language,
    displayTitle: true,
    version: '1.7',
    pageSize: 'A4',
    pageOrientation: isLandscape ? 'landscape' : 'portrait',
    pageMargins: [PAGE.margin, PAGE.top, PAGE.margin, PAGE.bottom],
    defaultStyle: { font: 'Roboto', fontSize: FONT_SIZE, color: INK, lineHeight: 1.15 },
    header: letterheadOf(letterhead),
    footer: (page, pages) => footerOf(footnote === undefined ? title : `${title} · ${footnote}`, page, pages),
    content: [
      { text: printable(title), fontSize: 18, bold: true },
      ...(subtitle === undefined ? [] : [{ text: printable(subtitle), color: SOFT, fontSize: 10 }]),
      ...blocks.map((block) => contentOf(block, width)),
    ],
  }
}

/** Points: a height that matches the name next to it, and a width for most word marks. */
const LOGO_HEIGHT = 24
const LOGO_WIDTH = 160

function letterheadOf({ name, color, logo }: Letterhead): Content {
  return {
    margin: [PAGE.margin, 24, PAGE.margin, 0],
    columns: [
      { width: 'auto', stack: [logo ? logoOf(logo) : { svg: markSvg(color), fit: [LOGO_HEIGHT, LOGO_HEIGHT] }] },
      { text: printable(name), bold: true, fontSize: 12, margin: [8, 5, 0, 0] },
    ],
  }
}

function logoOf(logo: PdfLogo): Content {
  const fit: [number, number] = [LOGO_WIDTH, LOGO_HEIGHT]
  if (logo.kind === 'image') return { image: logo.dataUrl, fit }
  // Pictures inside of an SVG file are drawn if they are part of it; the library would read any other from the disk.
  const options = { imageCallback: (link: string) => (link.startsWith('data:') ? link : '') }
  return { svg: logo.svg, fit, options } as Content
}

function footerOf(text: string, page: number, pages: number): Content {
  return {
    margin: [PAGE.margin, 16, PAGE.margin, 0],
    fontSize: 8,
    color: SOFT,
    columns: [
      { text: printable(text), noWrap: true },
      { text: `Page ${page} of ${pages}`, alignment: 'right', width: 120 },
    ],
  }
}

function contentOf(block: PdfBlock, width: number): Content {
  switch (block.kind) {
    case 'paragraph':
      return { text: printable(block.text), margin: [0, 10, 0, 0] }
    case 'facts':
      return {
        margin: [0, 12, 0, 0],
        layout: 'noBorders',
        table: {
          widths: [LABEL_WIDTH, width - LABEL_WIDTH - 4 * CELL_PADDING],
          body: block.facts.map(([label, value]) => [
            { text: printable(label), color: SOFT },
            { text: printable(value) },
          ]),
        },
      }
    case 'table':
      return tableOf(block, width)
    case 'pie':
      return pieOf(block, width)
    case 'days':
      return dayChartOf(block, width)
    case 'meters':
      return metersOf(block, width)
  }
}

function tableOf({ title, columns, rows }: PdfTable, available: number): Content {
  const widths = columnWidths({ columns, rows }, available - columns.length * 2 * CELL_PADDING, FONT_SIZE)
  return {
    layout: LINES,
    margin: [0, 14, 0, 0],
    table: {
      headerRows: 2,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      // Fixed widths: a long word is broken instead of pushing the table off the page.
      widths,
      body: [
        [{ text: title, bold: true, fontSize: 12, colSpan: columns.length }, ...columns.slice(1).map(() => '')],
        columns.map(({ title, align }) => ({ text: title, bold: true, color: SOFT, alignment: align ?? 'left' })),
        ...rows.map((row) => columns.map((column, index) => cellOf(column, row, index, widths[index] ?? 0))),
      ],
    },
  }
}

function cellOf({ align, share }: PdfColumn, row: PdfRow, index: number, width: number): TableCell {
  const { cells, role, span } = row
  const text = printable(cells[index] ?? '')
  return {
    text,
    ...(share === undefined ? { noWrap: textWidth(text, FONT_SIZE, role === 'total') <= width } : {}),
    alignment: align ?? 'left',
    ...(span !== undefined && index === 0 ? { colSpan: span } : {}),
    ...(role === 'total' ? { bold: true } : {}),
    ...(role === 'detail' ? { color: SOFT, ...(index === 0 ? { margin: [12, 0, 0, 0] } : {}) } : {}),
  }
}

const LINES: TableLayout = {
  hLineWidth: (line, { table }) => (line < 2 || line === table.body.length ? 0 : line === 2 ? 1 : 0.5),
  vLineWidth: () => 0,
  hLineColor: () => EDGE,
  paddingLeft: () => CELL_PADDING,
  paddingRight: () => CELL_PADDING,
  paddingTop: () => 3,
  paddingBottom: () => 3,
}

/** The portal's default mark in the color of the brand. */
const markSvg = (color: string) =>
  svg(
    { width: 32, height: 32 },
    `<rect width="32" height="32" rx="8" fill="${color}"/><path d="M11 9v14h10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><circle cx="20" cy="12" r="3" fill="#fff"/>`,
  )
