/** What other modules, the command line and the demo data may use of activations. */

export { hostData } from '#server/modules/activations/hosts/host-records.queries.ts'
export { countOutOfDate } from '#server/modules/activations/hosts/list-servers.ts'
export { findHosts, searchHosts } from '#server/modules/activations/hosts/search.queries.ts'
export { keepLicenseFile } from '#server/modules/activations/license-files/generate-license.ts'
export { createLicenseThreads } from '#server/modules/activations/license-files/license-threads.ts'
export { listKeys } from '#server/modules/activations/license-files/signing-keys.queries.ts'
export { createFirstKey, loadSigner, rotateKey } from '#server/modules/activations/license-files/signing-keys.ts'
export { verifyLicense } from '#server/modules/activations/license-files/verify-license.ts'
export { countToRenew } from '#server/modules/activations/plans/draft-renewal.ts'
export { countReserved } from '#server/modules/activations/plans/host-plans.queries.ts'
export { addSeats, requireHostName } from '#server/modules/activations/seats/add-seats.ts'
export { fulfillmentData } from '#server/modules/activations/seats/fulfillment-records.ts'
