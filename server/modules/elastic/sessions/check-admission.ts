import type { InstallationSecrets } from '#server/db/secrets.queries.ts'
import { isSamePin, openPin, PIN_SECRET } from '#server/modules/elastic/credentials/pin.seal.ts'
import type { StartFacts } from '#server/modules/elastic/sessions/start-facts.queries.ts'

/**
 * The first reason in this order why PIN, allowed usernames or IP rules of a server keep a session from starting. A server
 * without a PIN admits nobody: WRONG_PIN. Export, balance and locks are not checked here.
 */
export function checkAdmission(
  facts: StartFacts,
  secrets: InstallationSecrets,
  { serverId, pin }: { readonly serverId: string; readonly pin: string },
): 'WRONG_PIN' | 'USER_NOT_ALLOWED' | 'ADDRESS_NOT_ALLOWED' | undefined {
  const { customer_number: customerNumber, sealed_pin, secret } = facts
  const stored =
    sealed_pin && secret
      ? openPin(secrets.open(PIN_SECRET, secret), { customerNumber, deviceId: serverId }, sealed_pin)
      : null
  if (stored === null || !isSamePin(stored, pin)) return 'WRONG_PIN'
  if (!facts.is_user_allowed) return 'USER_NOT_ALLOWED'
  return facts.is_address_allowed ? undefined : 'ADDRESS_NOT_ALLOWED'
}
