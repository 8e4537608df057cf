import type { WireContract } from '#contract/fsa/contracts.ts'
import { addDays } from '#domain/calendar/calendar-day.ts'
import { NO_ID } from '#server/testing/samples/given.ts'
import { selfServed, writers } from '#server/testing/samples/rules.ts'
import { alike, list, missing, on, type Samples } from '#server/testing/samples/sample.ts'
import { about, type Walk } from '#server/testing/samples/walk.ts'

const ORDERED = { startdate: '2026-01-01', enddate: '2026-01-07', ansysprice: '665.00', ansyscurrency: 'USD' }
const NO_ORDER = { fsaID: 'no-such-contract', products: [{ ansysbpn: 'ANS0010110', ...ORDERED }] }

export const fsaSamples: Samples = {
  rows: {
    entitlements: missing(writers, { ansyshasfsa: true, ...NO_ORDER }),
    ...list(on(selfServed), 'fsa/contracts', 'fsa/entitlements', 'fsa/history'),
    ...alike(on(selfServed), 'fsa/history/export', 'fsa/drafts'),
    'fsa/drafts/save': missing(selfServed, { name: 'Draft', ...NO_ORDER }),
    ...alike(missing(selfServed, { id: NO_ID }), 'fsa/drafts/delete', 'fsa/drafts/quote', 'fsa/drafts/quote/pdf'),
  },
  walk: order,
}

async function order({ ask, call, today }: Walk): Promise<void> {
  const answer = await call('fsa/contracts', { body: about })
  const tomorrow = addDays(today, 1)
  const contract = (answer.body.data as WireContract[] | undefined)?.find(
    (one) => one.fsaproducts.length > 0 && one.StartDate < tomorrow && Number(one.available) > 30_000,
  )
  const product = contract?.fsaproducts[0]
  const line = {
    ansysbpn: product?.ansysbpn ?? '',
    startdate: tomorrow,
    enddate: addDays(tomorrow, 29),
    ansysprice: product?.price30Days ?? '',
    ansyscurrency: contract?.['CA[ENT|ansyscurrency]'] ?? '',
  }
  const wanted = { ...about, fsaID: contract?.fsaID ?? 'none', products: [line] }
  const id = await ask('fsa/drafts/save', { body: { ...wanted, name: 'One' } })
  await call('fsa/drafts/save', { body: { ...wanted, name: 'Two' } })
  await call('fsa/drafts/quote', { body: { ...about, id } })
  await call('fsa/drafts/quote/pdf', { body: { ...about, id } })
  await call('fsa/drafts/delete', { body: { ...about, id } })
  await call('entitlements', { body: { ansyshasfsa: true, ...wanted } })
}
