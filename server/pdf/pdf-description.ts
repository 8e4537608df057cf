import type { PieSlice } from '#domain/chart/pie.ts'

/** A document as plain data: its content in order. The layout decides how it looks. */
export type PdfDescription = {
  readonly title: string
  /** A BCP 47 tag such as en-US, by which screen readers choose their voice. */
  readonly language: string
  readonly createdAt: Date
  /** Landscape, for wide tables. */
  readonly isLandscape?: boolean
  readonly letterhead: Letterhead
  /** Beneath the title, such as the number of the document. */
  readonly subtitle?: string
  /** At the foot of every page, after the title: a separated page still shows its account and period. */
  readonly footnote?: string
  readonly blocks: readonly PdfBlock[]
}

export type Letterhead = {
  readonly name: string
  /** #rrggbb */
  readonly color: string
  /** Without a logo, the portal's default mark in this color. */
  readonly logo?: PdfLogo
}
export type PdfLogo =
  | { readonly kind: 'image'; readonly dataUrl: string }
  | { readonly kind: 'svg'; readonly svg: string }

export type PdfBlock = Facts | Paragraph | PdfTable | PdfPie | PdfDayChart | PdfMeters

type Paragraph = { readonly kind: 'paragraph'; readonly text: string }
type Facts = { readonly kind: 'facts'; readonly facts: readonly (readonly [label: string, value: string])[] }

export type PdfTable = {
  readonly kind: 'table'
  /** Stands above the column titles on every page of the table. */
  readonly title: string
  readonly columns: readonly PdfColumn[]
  readonly rows: readonly PdfRow[]
}
export type PdfColumn = {
  readonly title: string
  /**
   * For columns of long names: their share of the remaining width. Their texts wrap. A column without a share is for
   * dates, numbers and ids: it is as wide as its texts, which never wrap.
   */
  readonly share?: number
  readonly align?: 'right'
}
export type PdfRow = {
  readonly cells: readonly string[]
  /** A detail belongs to the row above it; a total stands out. */
  readonly role?: 'detail' | 'total'
  /** Over how many columns the first cell goes; the cells that it covers are empty. */
  readonly span?: number
}

/** Slices are those of `pieSlices`; `texts` are their values as the document states them. */
export type PdfPie = {
  readonly kind: 'pie'
  readonly title: string
  readonly slices: readonly PieSlice[]
  readonly texts: readonly string[]
  /** Digits in the middle of the ring. */
  readonly total?: string
  /** Below the slices, such as what the pie leaves out. */
  readonly note?: string | undefined
}

/** A value for each day against its limit. The numbers belong in a table as well. */
export type PdfDayChart = {
  readonly kind: 'days'
  readonly title: string
  /** What the bars and the line are called. */
  readonly series: readonly [value: string, limit: string]
  readonly days: readonly { readonly day: string; readonly value: number; readonly limit: number }[]
}

/** A bar for each value within its limit; `text` states both. */
export type PdfMeters = {
  readonly kind: 'meters'
  readonly title: string
  readonly meters: readonly {
    readonly label: string
    readonly value: number
    readonly limit: number
    readonly text: string
  }[]
}
