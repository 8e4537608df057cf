/** What other modules may use of the use of license servers. */
export {
  countRealDenialsSince,
  listFeaturesOfProducts,
  listMeasuredFeatures,
  listMeasuredIntervals,
  listSilentHosts,
  type MeasuredFeature,
  type MeasuredInterval,
} from '#server/modules/license-use/planning.queries.ts'
