/** What other modules may use of the use of license servers. */
export {
  countRealDenialsSince,
  listDaysOfDenials,
  listFeaturesOfProducts,
  listMeasuredFeatures,
  listMeasuredIntervals,
  listRealDenials,
  listSilentHosts,
} from '#server/modules/license-use/planning.queries.ts'
