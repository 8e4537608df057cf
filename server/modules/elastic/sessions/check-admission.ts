import { isSamePin, openPin } from '#server/modules/elastic/credentials/pin.seal.ts'
import type { StartFacts } from '#server/modules/elastic/sessions/start-facts.queries.ts'

export type Admission =
  | { readonly admitted: true; readonly customerNumber: string }
  | {
      readonly admitted: false
      /** The first reason in this order. A server without a PIN admits nobody: WRONG_PIN. */
      readonly reason: 'UNKNOWN_SERVER' | 'WRONG_PIN' | 'USER_NOT_ALLOWED' | 'ADDRESS_NOT_ALLOWED'
      /** Whose the server is; absent only with UNKNOWN_SERVER. */
      readonly customerNumber?: string
    }

/** Whether PIN, allowed usernames and IP rules of a server let a session start. Export, balance and locks are not checked here. */
export function checkAdmission(
  facts: StartFacts | undefined,
  { serverId, pin }: { readonly serverId: string; readonly pin: string },
): Admission {
  if (!facts) return { admitted: false, reason: 'UNKNOWN_SERVER' }
  const { customer_number: customerNumber, sealed_pin, secret } = facts
  const refused = (reason: (Admission & { admitted: false })['reason']): Admission => ({
    admitted: false,
    reason,
    customerNumber,
  })
  const stored = sealed_pin && secret ? openPin(secret, { customerNumber, deviceId: serverId }, sealed_pin) : null
  if (stored === null || !isSamePin(stored, pin)) return refused('WRONG_PIN')
  if (!facts.is_user_allowed) return refused('USER_NOT_ALLOWED')
  if (!facts.is_address_allowed) return refused('ADDRESS_NOT_ALLOWED')
  return { admitted: true, customerNumber }
}
