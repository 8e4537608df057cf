/** The tables whose views are saved, by the names under which they are stored. */
export const TABLE_NAMES = [
  'emailList',
  'alertList',
  'alertCategoryList',
  'elasticTransaction',
  'statementByPurchaseOrder',
  'statementByProduct',
  'chargebackByProject',
  'chargebackByUser',
  'chargebackByHost',
  'chargebackByProduct',
  'chargebackByDepartment',
  'chargebackByCostCenter',
  'runOutForecast',
  'mailedStatements',
  'auditLog',
  'portalAuditLog',
  'elasticDenials',
  'activeEntitlements',
  'inActiveEntitlements',
  'leaseAndPerpetualsActive',
  'leaseAndPerpetualsInactive',
  'assignedEntitlements',
  'availableEntitlements',
  'manageActivationsActive',
  'manageActivationsInActive',
  'fsaHistory',
  'fsaActiveEntitlements',
  'fsaInActiveEntitlements',
  'webEntitlements',
  'webSeats',
  'webUsers',
  'webGroups',
  'webTransactions',
  'webReportProducts',
  'webReportUsers',
  'webDenials',
  'licenseUse',
  'licenseDenials',
  'licenseWaiting',
  'licenseLogs',
  'optimization',
  'optimizationElastic',
  'requestList',
  'apiTokens',
  'renewalPlanner',
  'webhookEndpoints',
  'webhookDeliveries',
  'accessNow',
  'accessReview',
  'accessReviews',
  'scimGroups',
  'scimPeople',
  'scimCalls',
] as const
export type TableName = (typeof TABLE_NAMES)[number]

/** Older clients have another name for the usage table. */
const OLDER_NAMES: Readonly<Record<string, TableName>> = { UsageTransactions: 'elasticTransaction' }

/** Undefined for a table that does not exist. */
export function readTableName(name: string): TableName | undefined {
  if (Object.hasOwn(OLDER_NAMES, name)) return OLDER_NAMES[name]
  return TABLE_NAMES.find((known) => known === name)
}
