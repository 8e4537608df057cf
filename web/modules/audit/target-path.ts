import type { AuditRow } from '#contract/audit/audit.ts'

/** Files and other things that no screen shows have no path. */
const PATHS: readonly (readonly [actions: RegExp, path: (target: string) => string])[] = [
  [/^(fulfillments\/(plan\/files|servers\/export|files\/(text|difference))|.*\/(export|pdf))$/, () => ''],
  [/^(fulfillments\/|sharedserver)/, (target) => `/license-servers/${encodeURIComponent(target)}`],
  [/^emails\//, (target) => `/emails/${encodeURIComponent(target)}`],
  [/^(getpin|changepin|saveUsers|elastic\/unlockpin)$/, () => '/clscredentials'],
  [/^setips$/, () => '/whitelistips'],
  [
    /^(entitlements|fsa\/drafts\/(save|delete)|planner\/plans\/draft|service\/fsa-contracts.*)$/,
    () => '/entitlementsFSA',
  ],
  [/^web\/(assign|unassign|groups|users)/, () => '/web-assignments'],
  [/^(setportalaccess$|setaccountswitches$|viewas\/|service\/contacts)/, () => '/portalaccess'],
  [/^provisioning\//, () => '/provisioning'],
  [/^tokens\//, () => '/tokens'],
  [/^webhooks?[./]/, () => '/webhooks'],
  [/^sign-in-provider([./]|$)/, () => '/sign-in-provider'],
  [/^planner\/plans\/save$/, (target) => `/planner?plan=${encodeURIComponent(target)}`],
  [/^planner\/plans\//, () => '/planner'],
  [/^requests?[./]/, () => '/requests'],
  [/^license-use\//, () => '/license-use'],
  [/^(createcalendarfeed|revokecalendarfeed)$/, () => '/reminders'],
  [/^alerts\//, (target) => `/notification-details/${encodeURIComponent(target)}`],
  [/^outbox\//, () => '/operations'],
  [/^home\//, () => '/home'],
  [/^service\/(hosts|fulfillments)/, () => '/activations-history'],
  [/^service\/elastic-servers/, () => '/clscredentials'],
  [/^service\/entitlements/, () => '/ssl'],
]

/** The screen that shows what was acted on. Several license servers have no page in common. */
export function targetPath({ action, target }: Pick<AuditRow, 'action' | 'target'>): string | undefined {
  if (!target || target.includes(' ')) return undefined
  return PATHS.find(([actions]) => actions.test(action))?.[1](target) || undefined
}
