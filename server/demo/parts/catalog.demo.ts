import type { DemoPart } from '#server/demo/demo-part.ts'
import { insertRows } from '#server/demo/insert-rows.ts'
import { CATALOG, FSA_CURRENCIES, fsaPriceInCents, inUnits, type Product } from '#server/demo/products.ts'

export const CURRENT_RATES = '2026R1.3'
export const FORMER_RATES = '2025R2.1'
/** The former rate table was a little cheaper. */
export const FORMER_RATE_FACTOR = 0.96

export const catalog: DemoPart = {
  name: 'catalog',
  async load(tx) {
    await insertRows(
      tx,
      'product',
      CATALOG.map((product) => ({
        part_number: product.partNumber,
        name: product.name,
        item_number: `40-${product.partNumber.slice(3)}`,
        daemon: product.daemon,
        is_node_locked: product.isNodeLocked,
        feature_names: [...product.featureNames],
      })),
    )
    await insertRows(tx, 'elastic_rate', CATALOG.flatMap(elasticRates))
    await insertRows(tx, 'fsa_price', CATALOG.flatMap(fsaPrices))
  },
}

function elasticRates({ partNumber, rate }: Product) {
  if (rate === undefined) return []
  const row = (rate_table_version: string, units: number) => ({
    part_number: partNumber,
    rate_table_version,
    units_per_hour: units.toFixed(4),
  })
  return [row(CURRENT_RATES, rate), row(FORMER_RATES, rate * FORMER_RATE_FACTOR)]
}

function fsaPrices(product: Product) {
  return FSA_CURRENCIES.flatMap((currency) =>
    product.periods.flatMap((days) => {
      const cents = fsaPriceInCents(product, currency, days)
      return cents === undefined ? [] : [{ part_number: product.partNumber, currency, days, price: inUnits(cents) }]
    }),
  )
}
