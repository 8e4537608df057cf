import type { Content } from 'pdfmake'
import { onlySliceText, PIE_SIZE, type PieSlice } from '#domain/chart/pie.ts'
import { AXIS_WIDTH, barSvg, dayChartSvg } from '#server/pdf/chart-svg.ts'
import type { PdfDayChart, PdfMeters, PdfPie } from '#server/pdf/pdf-description.ts'
import { printable } from '#server/pdf/pdf-font.ts'
import { CELL_PADDING, LIMIT, SOFT, VALUE } from '#server/pdf/pdf-style.ts'
import { svg } from '#server/pdf/svg.ts'

const PIE_WIDTH = 130

/** The names next to the pie are text of the document, so that they can be selected and need no escaping. */
export function pieOf({ title, slices, texts, total = '', note }: PdfPie, available: number): Content {
  const heading: Content = { text: title, bold: true, margin: [0, 0, 0, 4] }
  const notes = note === undefined ? [] : [noteOf(note)]
  const [only, ...others] = slices
  if (only && others.length === 0)
    return {
      unbreakable: true,
      margin: [0, 12, 0, 0],
      stack: [heading, { text: printable(onlySliceText(only.label, texts[0] ?? '')) }, ...notes],
    }
  return {
    unbreakable: true,
    margin: [0, 12, 0, 0],
    columnGap: 20,
    columns: [
      { svg: pieSvg(slices, total), width: PIE_WIDTH },
      {
        stack: [
          heading,
          {
            layout: 'noBorders',
            table: {
              widths: [8, Math.min(300, available - PIE_WIDTH - 20 - 8 - 90 - 40 - 8 * CELL_PADDING), 90, 40],
              body: slices.map(({ label, color, percent }, index) => [
                { svg: squareSvg(color), width: 8, margin: [0, 2, 0, 0] },
                { text: printable(label) },
                { text: texts[index] ?? '', alignment: 'right' },
                { text: `${percent.toFixed(1)}%`, alignment: 'right', color: SOFT },
              ]),
            },
          },
          ...notes,
        ],
      },
    ],
  }
}

const noteOf = (note: string): Content => ({ text: printable(note), color: SOFT, margin: [0, 4, 0, 0] })

const pieSvg = (slices: readonly PieSlice[], total: string) =>
  svg(
    { width: PIE_SIZE, height: PIE_SIZE },
    `${slices.map(({ path, color }) => `<path d="${path}" fill="${color}" stroke="#fff" stroke-width="1"/>`).join('')}<text x="${PIE_SIZE / 2}" y="${PIE_SIZE / 2 + 5}" font-family="Roboto" font-size="14" text-anchor="middle">${total}</text>`,
  )

const squareSvg = (color: string) => svg({ width: 8, height: 8 }, `<rect width="8" height="8" fill="${color}"/>`)
const lineSvg = (color: string) =>
  svg({ width: 14, height: 8 }, `<rect y="3.25" width="14" height="1.5" fill="${color}"/>`)

/** Bars day by day with the limit as a line, and the legend above them. */
export function dayChartOf({ title, series: [value, limit], days }: PdfDayChart, width: number): Content {
  return {
    unbreakable: true,
    margin: [0, 14, 0, 0],
    stack: [
      { text: printable(title), bold: true, fontSize: 12 },
      {
        margin: [AXIS_WIDTH, 3, 0, 3],
        columnGap: 5,
        color: SOFT,
        columns: [
          { svg: squareSvg(VALUE), width: 8, margin: [0, 1, 0, 0] },
          { text: value, width: 'auto', margin: [0, 0, 10, 0] },
          { svg: lineSvg(LIMIT), width: 14, margin: [0, 1, 0, 0] },
          { text: limit, width: 'auto' },
        ],
      },
      { svg: dayChartSvg(days, width), width },
    ],
  }
}

/** The width of the names and of the texts, in points. */
const METER = { label: 240, text: 110 }

export function metersOf({ title, meters }: PdfMeters, width: number): Content {
  const most = Math.max(1, ...meters.flatMap(({ value, limit }) => [value, limit]))
  const barWidth = width - METER.label - METER.text - 6 * CELL_PADDING
  return {
    margin: [0, 14, 0, 0],
    layout: 'noBorders',
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: [METER.label, barWidth, METER.text],
      body: [
        [{ text: printable(title), bold: true, fontSize: 12, colSpan: 3 }, '', ''],
        ...meters.map(({ label, value, limit, text }) => [
          { text: printable(label) },
          { svg: barSvg({ value, limit, most, width: barWidth }), width: barWidth, margin: [0, 1, 0, 0] },
          { text: printable(text) },
        ]),
      ],
    },
  } as Content
}
