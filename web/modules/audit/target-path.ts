import type { AuditRow } from '#contract/audit/audit.ts'

/** Files and other things that no screen shows have no path. */
const PATHS: readonly (readonly [actions: RegExp, path: (target: string) => string])[] = [
  [/^(fulfillments\/(plan\/files|servers\/export|files\/text)|.*\/(export|pdf))$/, () => ''],
  [/^(fulfillments\/|sharedserver)/, (target) => `/license-servers/${encodeURIComponent(target)}`],
  [/^emails\//, (target) => `/emails/${encodeURIComponent(target)}`],
  [/^(getpin|changepin|saveUsers|elastic\/unlockpin)$/, () => '/clscredentials'],
  [/^setips$/, () => '/whitelistips'],
  [/^(entitlements|fsa\/drafts\/(save|delete))$/, () => '/entitlementsFSA'],
  [/^web\/(assign|unassign|groups|users)/, () => '/web-assignments'],
  [/^service\/contacts/, () => '/portalaccess'],
]

/** The screen that shows what was acted on. Several license servers have no page in common. */
export function targetPath({ action, target }: Pick<AuditRow, 'action' | 'target'>): string | undefined {
  if (!target || target.includes(' ')) return undefined
  return PATHS.find(([actions]) => actions.test(action))?.[1](target) || undefined
}
