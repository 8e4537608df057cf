import { type HostIdentity, hostParts } from '#domain/activations/hosts/host.ts'

/** The name under which a license file is downloaded. A triad's ids are joined with hyphens. */
export function licenseFileName(
  customerNumber: string,
  { serverId }: Pick<HostIdentity, 'serverId'>,
  isShared = false,
): string {
  return `license_${customerNumber}_${hostParts(serverId).join('-')}${isShared ? '_shared' : ''}.lic`
}
