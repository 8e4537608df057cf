/** What a service key may do: one scope for each door of the service API. */
export const SERVICE_SCOPES = [
  'accounts',
  'catalog',
  'entitlements',
  'hosts',
  'roles',
  'sessions',
  'usage',
  'web',
] as const
export type ServiceScope = (typeof SERVICE_SCOPES)[number]

export function isServiceScope(text: string): text is ServiceScope {
  return (SERVICE_SCOPES as readonly string[]).includes(text)
}
