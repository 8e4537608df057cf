import { expect, type Locator, type Page } from '@playwright/test'
import type { Sum } from '#contract/kit/list.ts'
import type { TablePreference } from '#contract/settings/preferences.ts'
import { instantsOf } from '#domain/calendar/day-range.ts'
import { type Preset, presetRange } from '#domain/calendar/presets.ts'
import type { FilterInput } from '#domain/filter/filter.ts'
import { formatDecimal } from '#domain/money/decimal.ts'
import type { Person } from '#e2e/support/people.ts'
import { signInUnseen } from '#e2e/support/sign-in.ts'
import { cellsOf, keepNoViews, rowsOf } from '#e2e/support/table.ts'

const TABLE = 'elasticTransaction'
const HEADERS = { 'X-Requested-With': 'portal' }

/**
 * The usage screen of one person on one account, with default settings. Views are saved only for journeys that test it,
 * which need their own person and account, because journeys run in parallel.
 */
export async function openUsage(
  page: Page,
  person: Person,
  customerNumber = '100001',
  { keepsViews = false } = {},
): Promise<UsageScreen> {
  await signInUnseen(page, person)
  if (!keepsViews) await keepNoViews(page)
  const info = await (await page.request.get(`/api/getaccountinfo/${customerNumber}`)).json()
  const screen = new UsageScreen(page, customerNumber, info.data.today, info.data.timeZone)
  await screen.saveView({})
  await screen.open()
  return screen
}

/** What people do on the screen, and what the server knows when it is asked directly. */
export class UsageScreen {
  readonly page: Page
  readonly customerNumber: string
  readonly today: string
  readonly timeZone: string

  constructor(page: Page, customerNumber: string, today: string, timeZone: string) {
    this.page = page
    this.customerNumber = customerNumber
    this.today = today
    this.timeZone = timeZone
  }

  async open(): Promise<void> {
    await this.page.goto(`/transactions?customer=${this.customerNumber}`)
    await expect(this.page.getByRole('heading', { level: 1, name: 'Usage Transactions' })).toBeVisible()
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('button', { name })
  }

  /** Chooses an export other than the CSV file. */
  async export(item: string): Promise<void> {
    await this.button('More exports').click()
    await this.page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  get grid(): Locator {
    return this.page.getByRole('grid', { name: 'Usage transactions' })
  }

  /** The rows of the page that is shown. */
  get rows(): Locator {
    return rowsOf(this.grid)
  }

  cells(column: string): Locator {
    return cellsOf(this.grid, column)
  }

  async choosePreset(preset: Preset): Promise<void> {
    await this.page.getByRole('button', { name: /^Date range/ }).click()
    await this.page.getByRole('menuitem', { name: preset, exact: true }).click()
  }

  async expectRange({ from, to }: { from: string; to: string }): Promise<void> {
    await expect(this.page.getByText(`From: ${from} To: ${to}`)).toBeVisible()
  }

  async expectTotal(total: number): Promise<void> {
    const count = total === 0 ? '(No|0 of [\\d,]+)' : `([\\d,–]+ of )?${total.toLocaleString('en-US')}`
    const text = new RegExp(`^${count} transactions?$`)
    await expect(this.page.getByText(text).first()).toBeVisible()
  }

  /** How many transactions of a range the server counts, with further criteria. */
  async count(preset: Preset, criteria: FilterInput['criteria'] = []): Promise<number> {
    return (await this.#ask('fetchUsage/count', preset, criteria)) as number
  }

  /** The sums as the last rows of the table show them. */
  async sums(preset: Preset): Promise<{ currency: string; hours: string; cost: string }[]> {
    const sums = (await this.#ask('fetchUsage/sum', preset)) as Sum[]
    // The currency that was used most comes first.
    const ordered = sums.toSorted((one, other) => Number(other.sums.Charge) - Number(one.sums.Charge))
    return ordered.map(({ by, sums: { Hours = '', Charge = '' } }) => ({
      currency: by ?? '',
      hours: formatDecimal(Hours, 2),
      cost: formatDecimal(Charge, 2),
    }))
  }

  async #ask(path: string, preset: Preset, criteria: FilterInput['criteria'] = []): Promise<unknown> {
    const { from, to } = instantsOf(presetRange(preset, this.today), this.timeZone)
    const overlap: FilterInput['criteria'] = [
      { name: 'EndTime_ts', method: 'AFTER', value: from.toISOString() },
      { name: 'StartTime_ts', method: 'BEFORE', value: to.toISOString() },
    ]
    const filter = { condition: 'ALL', criteria: [...overlap, ...criteria] }
    const data = { customerNumber: this.customerNumber, filter }
    const answer = await this.page.request.post(`/api/${path}`, { data, headers: HEADERS })
    return (await answer.json()).data
  }

  /** The view as the server keeps it. */
  async savedView(): Promise<TablePreference | undefined> {
    const answer = await (await this.page.request.get('/api/featureflag/pref')).json()
    const views = answer.data as TablePreference[]
    return views.find((view) => view.customerNumber === this.customerNumber && view.tableName === TABLE)
  }

  async saveView(view: Partial<TablePreference>): Promise<void> {
    const data = { tables: [{ ...view, customerNumber: this.customerNumber, tableName: TABLE }] }
    expect((await this.page.request.post('/api/featureflag/pref', { data, headers: HEADERS })).ok()).toBe(true)
  }
}
