import type { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'
import { pieSlices } from '#domain/chart/pie.ts'
import type { PdfBlock, PdfDescription } from '#server/pdf/pdf-description.ts'
import { createPdfMaker, startPdfWorker } from '#server/pdf/pdf-maker.ts'
import { readPdf } from '#server/testing/pdf.ts'

const maker = createPdfMaker()
afterAll(() => maker.close())

const describeDocument = (...blocks: PdfBlock[]): PdfDescription => ({
  title: 'Statement of Großmann & Söhne',
  language: 'en-US',
  createdAt: new Date('2026-03-01T12:00:00Z'),
  letterhead: { name: 'Licensing Portal', color: '#3451b2' },
  blocks,
})
const tableOf = (names: readonly string[]): PdfBlock => ({
  kind: 'table',
  title: 'Usage by product',
  columns: [
    { title: 'Product', share: 3 },
    { title: 'Used', share: 1, align: 'right' },
  ],
  rows: names.map((name, index) => ({ cells: [name, `${index}.00`] })),
})
const made = async (...blocks: PdfBlock[]) => readPdf(await maker.makePdf(describeDocument(...blocks)))

describe('a PDF file', () => {
  test('has title, language, author and date in its info', async () => {
    const { info } = await made({ kind: 'paragraph', text: 'Hello' })
    expect(info).toMatchObject({
      Title: 'Statement of Großmann & Söhne',
      Author: 'Licensing Portal',
      Language: 'en-US',
      CreationDate: expect.stringContaining('20260301120000'),
    })
  })

  test('holds facts, tables and charts as text that can be selected', async () => {
    const slices = pieSlices([
      { label: 'Flüssigkeit', value: '75' },
      { label: 'Struktur', value: '25' },
    ])
    const { lines } = await made(
      { kind: 'facts', facts: [['Account', '100001 (Großmann)']] },
      tableOf(['Flüssigkeit']),
      { kind: 'pie', title: 'Used in €', slices, texts: ['75.00 €', '25.00 €'], note: 'Not in the chart: 1 product' },
    )
    expect(lines).toEqual([
      'Licensing Portal',
      'Statement of Großmann & Söhne',
      'Account 100001 (Großmann)',
      'Usage by product',
      'Product Used',
      'Flüssigkeit 0.00',
      'Used in €',
      'Flüssigkeit 75.00 € 75.0%',
      'Struktur 25.00 € 25.0%',
      'Not in the chart: 1 product',
      'Statement of Großmann & Söhne Page 1 of 1',
    ])
  })

  test('draws days against their limit, and meters, with their numbers as text', async () => {
    const { lines, right } = await made(
      {
        kind: 'days',
        title: 'Peak use of Größe',
        series: ['Peak', 'Seats'],
        days: [
          { day: '2026-06-10', value: 3, limit: 4 },
          { day: '2026-06-11', value: 0, limit: 2 },
        ],
      },
      { kind: 'meters', title: 'Peaks', meters: [{ label: '<Optics>', value: 3, limit: 4, text: '3 of 4 seats' }] },
    )
    expect(lines.slice(2, -1)).toEqual([
      'Peak use of Größe',
      'Peak Seats',
      ...['4', '3', '2', '1', '0'],
      '2026-06-10 2026-06-11',
      'Peaks',
      '<Optics> 3 of 4 seats',
    ])
    expect(right).toBeLessThan(560)
  })

  test('repeats the header of a table of 5,000 lines on every page and loses none of them', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `Line-${index}`)
    const { pages, right } = await made(tableOf(names))
    expect(pages.length).toBeGreaterThan(50)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('Usage by product')
      expect(page).toContain('Product Used')
      expect(page.at(-1)).toBe(`Statement of Großmann & Söhne Page ${index + 1} of ${pages.length}`)
    }
    const rows = pages.flat().filter((line) => line.startsWith('Line-'))
    expect(rows).toEqual(names.map((name, index) => `${name} ${index}.00`))
    expect(right).toBeLessThan(560)
  })

  test('breaks names that are too long instead of running off the page', async () => {
    const long = 'Ünbreakable'.repeat(60)
    const spaced = 'Structural mechanics with everything '.repeat(20).trim()
    const slices = pieSlices([{ label: long, value: 1 }])
    const { lines, right } = await made({ kind: 'facts', facts: [['Account', long]] }, tableOf([long, spaced]), {
      kind: 'pie',
      title: 'Used',
      slices,
      texts: ['1.00'],
    })
    expect(right).toBeLessThan(560)
    const text = lines.join(' ')
    expect(text.replaceAll(/ (0\.00|Used in)?/g, '').split('Ünbreakable').length - 1).toBeGreaterThanOrEqual(170)
    expect(text.split('Structural').length - 1).toBe(20)
  })

  test('breaks names, but no date, number or id', async () => {
    const cells = ['Structural mechanics '.repeat(10).trim(), 'ANS0010250', '2026-11-16', '999,999,999,999.99', 'USD']
    const { lines, right } = await made({
      kind: 'table',
      title: 'Products',
      columns: [
        { title: 'Product', share: 1 },
        { title: 'Part Number' },
        { title: 'Expiration Date' },
        { title: 'Cost', align: 'right' },
        { title: 'Currency' },
      ],
      rows: [{ cells }, { cells: ['Total', '', '', '999,999,999,999.99', 'USD'], role: 'total' }],
    })
    expect(lines.find((line) => line.startsWith('Structural'))).toMatch(
      / ANS0010250 2026-11-16 999,999,999,999\.99 USD$/,
    )
    expect(lines).toContain('Total 999,999,999,999.99 USD')
    expect(lines.join(' ').split('Structural').length - 1).toBe(10)
    expect(right).toBeLessThan(560)
  })

  test('breaks an id that leaves no room for the name', async () => {
    const { lines, right } = await made({
      kind: 'table',
      title: 'Products',
      columns: [{ title: 'Product', share: 1 }, { title: 'Part Number' }, { title: 'Date' }],
      rows: [{ cells: ['Solver', 'A1'.repeat(200), '2026-11-16'] }],
    })
    expect(lines.find((line) => line.startsWith('Solver'))).toMatch(/^Solver (A1)+A? 2026-11-16$/)
    expect(lines.join('').split('A').length - 1).toBeGreaterThanOrEqual(200)
    expect(right).toBeLessThan(560)
  })

  test('marks characters that its font lacks', async () => {
    const { lines } = await made(
      { kind: 'facts', facts: [['Account', '100001 (日本 Größe Ω Ж 🚀)']] },
      tableOf(['株 One']),
    )
    expect(lines).toContain('Account 100001 (\ufffd\ufffd Größe Ω Ж \ufffd)')
    expect(lines).toContain('\ufffd One 0.00')
  })

  test('shows markup, formulas and unknown characters as plain text', async () => {
    const names = ['<script>alert(1)</script>', '</svg><image href="http://127.0.0.1/x"/>', '=1+1', '日本 🚀', '']
    const slices = pieSlices(names.slice(0, 3).map((label) => ({ label, value: 1 })))
    const { lines } = await made(tableOf(names), { kind: 'pie', title: '<b>', slices, texts: ['1', '1', '1'] })
    expect(lines).toContain('<script>alert(1)</script> 0.00')
    expect(lines).toContain('</svg><image href="http://127.0.0.1/x"/> 1.00')
    expect(lines).toContain('=1+1 1 33.3%')
  })
})

describe('the PDF maker', () => {
  test('answers other work while it makes a document', async () => {
    const making = maker.makePdf(describeDocument(tableOf(Array.from({ length: 1000 }, () => 'Line'))))
    let isDone = false
    making.finally(() => (isDone = true))
    let turns = 0
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      turns++
    }
    expect(turns).toBeGreaterThan(10)
  })

  test('reports a thread that dies, and makes the next document in a new one', async () => {
    const started: Worker[] = []
    const fragile = createPdfMaker({
      workers: 1,
      startWorker: () => {
        const worker = startPdfWorker()
        started.push(worker)
        return worker
      },
    })
    const broken = fragile.makePdf(describeDocument(tableOf(['One'])))
    const waiting = fragile.makePdf(describeDocument(tableOf(['Two'])))
    await Promise.all([
      expect(broken).rejects.toThrow('the PDF thread ended before the PDF was ready'),
      started[0]?.terminate(),
    ])
    expect((await readPdf(await waiting)).lines).toContain('Two 0.00')
    // An idle thread that dies is replaced as well.
    await started[1]?.terminate()
    expect((await readPdf(await fragile.makePdf(describeDocument(tableOf(['Three']))))).lines).toContain('Three 0.00')
    expect(started).toHaveLength(3)
    await fragile.close()
  })

  test('gives up a document that takes too long', async () => {
    const hurried = createPdfMaker({ workers: 1, timeout: 1 })
    await expect(hurried.makePdf(describeDocument(tableOf(['One'])))).rejects.toThrow('not ready after 1 ms')
    await hurried.close()
  })

  test('refuses more documents than may wait, and those that come after closing', async () => {
    const small = createPdfMaker({ workers: 1 })
    const one = describeDocument(tableOf(['One']))
    const accepted = Array.from({ length: 51 }, () => small.makePdf(one))
    await expect(small.makePdf(one)).rejects.toMatchObject({ statusCode: 429 })
    await Promise.all(accepted)
    await small.close()
    await expect(small.makePdf(one)).rejects.toThrow('the portal is closing')
  })

  test('reports a document that cannot be laid out', async () => {
    const impossible = { ...describeDocument(), blocks: [{ kind: 'table', columns: [], rows: [], title: '' }] }
    await expect(maker.makePdf(impossible as PdfDescription)).rejects.toThrow('the PDF could not be made')
    expect((await made({ kind: 'paragraph', text: 'Still here' })).lines).toContain('Still here')
  })
})
