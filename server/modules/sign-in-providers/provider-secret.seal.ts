import { createSecretKey, hkdfSync } from 'node:crypto'
import { openBytes, sealBytes } from '#server/db/sealed-bytes.ts'

/** The name of the installation's secret that the secrets of providers are encrypted with. */
export const PROVIDER_SECRET = 'sign-in provider secrets'

type Kind = 'client secret' | 'private key'

export function sealProviderSecret(installation: Buffer, customerNumber: string, kind: Kind, secret: string): Buffer {
  return sealBytes(keyFrom(installation), boundTo(customerNumber, kind), Buffer.from(secret, 'utf8'))
}

/** Undefined if it was sealed by another installation, for another account or as something else. */
export function openProviderSecret(
  installation: Buffer,
  customerNumber: string,
  kind: Kind,
  sealed: Buffer | null,
): string | undefined {
  return sealed === null
    ? undefined
    : openBytes(keyFrom(installation), boundTo(customerNumber, kind), sealed)?.toString('utf8')
}

const keyFrom = (secret: Buffer) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'sign-in provider', 32)))
const boundTo = (customerNumber: string, kind: Kind) => Buffer.from(`${customerNumber}/${kind}`)
