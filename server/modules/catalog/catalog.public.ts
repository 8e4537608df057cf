/** What other modules may use of the catalog. */
export {
  catalogProducts,
  type FsaPrice,
  listElasticRates,
  listFsaPrices,
  refuseUnknownRateTables,
} from '#server/modules/catalog/catalog.queries.ts'
export { keepProducts, unknownProducts } from '#server/modules/catalog/known-products.queries.ts'
export { priceData } from '#server/modules/catalog/price-records.ts'
export { productData } from '#server/modules/catalog/product-records.queries.ts'
export { rateData } from '#server/modules/catalog/rate-records.queries.ts'
