/** What other modules may use of the use of license servers. */
export {
  countRealDenialsSince,
  listFeaturesOfProducts,
  listMeasuredFeatures,
  listMeasuredIntervals,
  listSilentHosts,
} from '#server/modules/license-use/planning.queries.ts'
