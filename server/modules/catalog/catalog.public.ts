/** What other modules may use of the catalog. */
export { catalogProducts, type FsaPrice, listFsaPrices } from '#server/modules/catalog/catalog.queries.ts'
export { productData } from '#server/modules/catalog/product-records.queries.ts'
