import { Anchor } from '@mantine/core'
import { type HostIdentity, licenseServerPath } from '#domain/activations/hosts/host.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { shortHostName } from '#web/parts/short-host-name.ts'

type Props = {
  readonly host: Pick<HostIdentity, 'serverName' | 'serverId'>
  /** Within a text, a color alone does not show a link. */
  readonly isInText?: boolean
}

/** The name of a license server, which leads to its page. */
export function HostLink({ host, isInText = false }: Props) {
  return (
    <Anchor
      component={PortalLink}
      to={licenseServerPath(host.serverId)}
      inherit
      title={host.serverName.replaceAll(',', ', ')}
      {...(isInText ? { underline: 'always' } : {})}
    >
      {shortHostName(host.serverName)}
    </Anchor>
  )
}
