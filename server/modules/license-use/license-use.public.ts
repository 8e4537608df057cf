/** What other modules may use of the use of license servers. */
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
