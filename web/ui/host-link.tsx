import { Anchor } from '@mantine/core'
import { type HostIdentity, licenseServerPath } from '#domain/activations/hosts/host.ts'
import { PortalLink } from '#web/lib/portal-link.tsx'

/** The name of a license server, which leads to its page. */
export function HostLink({ host }: { host: Pick<HostIdentity, 'serverName' | 'serverId'> }) {
  return (
    <Anchor component={PortalLink} to={licenseServerPath(host.serverId)} inherit>
      {host.serverName.replaceAll(',', ', ')}
    </Anchor>
  )
}
