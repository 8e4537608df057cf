/** What other modules may use of the catalog. */
export { catalogProducts } from '#server/modules/catalog/catalog-products.queries.ts'
export { type FsaPrice, listFsaPrices } from '#server/modules/catalog/fsa-prices.queries.ts'
