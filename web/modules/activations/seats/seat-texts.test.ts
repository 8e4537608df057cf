import { expect, test } from 'vitest'
import { quantityError } from '#domain/activations/seats/activated-quantity.ts'
import {
  addLinked,
  chooseProductSeats,
  linkedRows,
  productChoices,
  setQuantity,
} from '#domain/activations/seats/activation-selection.ts'
import { lease, permanent, TODAY, tab } from '#domain/activations/testing/samples.ts'
import { choiceText, isCut, linkedText, productSeatsText } from '#web/modules/activations/seats/seat-texts.ts'

const seats = (ansysproduct: string, count: number) => ({ ansysproduct, count })

test.each([
  [[seats('Alpha', 5)], '5 seats of Alpha'],
  [[seats('Alpha', 1), seats('Beta', 2)], '1 seat of Alpha and 2 of Beta'],
  [[seats('Alpha', 2), seats('Beta', 1), seats('Alpha', 3)], '5 seats of Alpha and 1 of Beta'],
  [['Alpha', 'Beta', 'Gamma'].map((name) => seats(name, 1)), '1 seat of Alpha, 1 of Beta and 1 of Gamma'],
  [
    ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'].map((name) => seats(name, 1)),
    '1 seat of Alpha, 1 of Beta, 1 of Gamma and 2 more products',
  ],
])('seats are summed by product, and three products are named: %j', (rows, text) => {
  expect(productSeatsText(rows)).toBe(text)
})

const PRODUCT = lease.ProductName
const offered = tab(
  '100001',
  { ...permanent('2027-06-30'), ActivationId: 'paid', LineItemQuantity: 1 },
  { ...lease, ActivationId: 'year', LineItemQuantity: 3 },
  { ...lease, ActivationId: 'next', StartDate: '2027-01-01', EndDate: '2027-12-31', LineItemQuantity: 1 },
  { ...lease, ActivationId: 'soon', EndDate: '2026-11-20', LineItemQuantity: 1 },
  { ...permanent('2026-01-31'), ActivationId: 'old', LineItemQuantity: 1 },
)
const three = chooseProductSeats(offered, PRODUCT, 3, TODAY)
const textOf = (chosen: typeof offered, isWhole = false) =>
  productChoices(chosen, TODAY)
    .map((choice) => choiceText(choice, isWhole))
    .join()
const FIRST = '1 from paid (permanent), 3 from year (ends 2026-12-31)'
const NEXT = '1 from next (starts 2027-01-01: no other that runs today is left)'

test.each([
  [1, `1 seat of ${PRODUCT}, latest end first: 1 from paid (permanent).`],
  [5, `5 seats of ${PRODUCT}, latest end first: ${FIRST} and ${NEXT}.`],
  [
    8,
    `8 seats of ${PRODUCT}, latest end first: ${FIRST}, ${NEXT} and 2 more entitlements. 1 seat is missing: no more are available.`,
  ],
])('the choice of %i seats names entitlements, reasons and what is missing', (wanted, text) => {
  expect(textOf(chooseProductSeats(offered, PRODUCT, wanted, TODAY))).toBe(text)
})

test('the whole choice names all entitlements', () => {
  const eight = chooseProductSeats(offered, PRODUCT, 8, TODAY)
  expect(textOf(eight, true)).toBe(
    `8 seats of ${PRODUCT}, latest end first: ${FIRST}, ${NEXT}, 1 from soon (ends 2026-11-20: no other is left) and 1 from old (maintenance expired: no other is left). 1 seat is missing: no more are available.`,
  )
  expect(productChoices(eight, TODAY).map(isCut)).toEqual([true])
  expect(productChoices(three, TODAY).map(isCut)).toEqual([false])
})

test('a row with too many seats has the same maximum in the text as in its error', () => {
  const text = textOf(setQuantity(three, 'year', 100))
  expect(text).toMatch(/ You changed this to more seats than are available: the maximum of that row is 3\.$/)
  expect(quantityError(100, 3)).toBe('Maximum is 3.')
  expect(text).not.toContain('will be activated')
})

test('a choice that a person has changed says how many seats are activated instead', () => {
  expect(textOf(three)).not.toContain('You changed this')
  expect(textOf(setQuantity(three, 'year', 1))).toMatch(/ You changed this: 2 seats will be activated\.$/)
})

test('what a link has brought is named with its license server, and why that was chosen', () => {
  const asked = { activationIds: ['year', 'gone'], product: undefined, seats: undefined }
  const rows = linkedRows(addLinked(offered, asked, TODAY), asked)
  const link = { rows, hostName: 'lic-01', isHostChosen: false }
  const ready = `Ready to activate on lic-01: 3 seats of ${PRODUCT}.`
  expect(linkedText(link)).toBe(ready)
  expect(linkedText({ ...link, isHostChosen: true })).toBe(
    `${ready} This license server was used last. You can choose another one under Server.`,
  )
  expect(linkedText({ ...link, rows: [] })).toBe(undefined)
})
