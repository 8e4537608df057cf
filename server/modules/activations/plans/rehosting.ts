import { ACTIVATION_ERRORS } from '#domain/activations/seats/activation-error.ts'
import type { Config } from '#server/config.ts'
import { BusinessRefusal } from '#server/http/http-error.ts'

/** A setting can switch rehosting off for the whole portal. */
export function requireRehosting({ rehosting }: Config): void {
  if (!rehosting) throw new BusinessRefusal('REHOSTING_OFF', ACTIVATION_ERRORS.rehost)
}
