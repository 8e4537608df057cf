/** What other modules may use of the use of license servers. */

export { requireHost } from '#server/modules/license-use/named-host.ts'
export { loadSettings } from '#server/modules/license-use/save-settings.ts'
export {
  countMeasuredRequests,
  listCheckoutsOf,
  listDenialsOf,
  listReportedFeatures,
} from '#server/modules/license-use/use/measured-requests.queries.ts'
export {
  countRealDenialsSince,
  findEventsFrom,
  listDaysOfDenials,
  listFeaturesOfProducts,
  listFeaturesStillDenied,
  listMeasuredFeatures,
  listMeasuredIntervals,
  listRealDenials,
  listSeatLimits,
  listSilentHosts,
} from '#server/modules/license-use/use/planning.queries.ts'
export { leaveLinesOf } from '#server/modules/license-use/waiting/places.ts'
export { listOffersOf } from '#server/modules/license-use/waiting/waiting.queries.ts'
