/** What other modules may use of the catalog. */
export { catalogProducts } from '#server/modules/catalog/catalog-products.queries.ts'
