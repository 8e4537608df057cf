/** What other modules, the command line and the demo data may use of activations. */
export { countOutOfDate } from '#server/modules/activations/count-out-of-date.ts'
export { fulfillmentData } from '#server/modules/activations/fulfillment-records.ts'
export { hostData } from '#server/modules/activations/host-records.queries.ts'
export { keepLicenseFile } from '#server/modules/activations/keep-license-file.ts'
export { findHosts, searchHosts } from '#server/modules/activations/search.queries.ts'
export { listKeys } from '#server/modules/activations/signing-keys.queries.ts'
export { createFirstKey, loadSigner, rotateKey } from '#server/modules/activations/signing-keys.ts'
export { verifyLicense } from '#server/modules/activations/verify-license.ts'
