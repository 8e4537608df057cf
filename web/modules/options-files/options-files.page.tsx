import { Anchor, Button, NativeSelect, Paper } from '@mantine/core'
import { IconDownload, IconServerOff } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { type OptionsAnswer, type OptionsFile, optionsFileName } from '#contract/options-files/options-files.ts'
import { licenseServerPath } from '#domain/activations/hosts/host.ts'
import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { failureText, hasCode } from '#web/lib/api/api-error.ts'
import { useKnownCustomer } from '#web/lib/customer.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { Installs } from '#web/modules/options-files/installs.tsx'
import { OptionsEditor } from '#web/modules/options-files/options-editor.tsx'
import { type FileName, optionsQuery } from '#web/modules/options-files/options-files.api.ts'
import { Reservations } from '#web/modules/options-files/reservations.tsx'
import { Versions } from '#web/modules/options-files/versions.tsx'
import { HostLink } from '#web/parts/host-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import classes from './options-files.module.css'

/** Who may use the seats of a license server: one options file for each of its vendor daemons. */
export function Page() {
  const { number } = useKnownCustomer()
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const { data, error, refetch } = useQuery(optionsQuery(number, id, search.get('daemon') ?? undefined))
  if (hasCode(error, 'NOT_FOUND', 'INVALID_REQUEST')) return <NothingHere serverId={id} />
  if (error)
    return (
      <>
        <PageHead />
        <FailureNotice failure={error} onRetry={refetch} />
      </>
    )
  if (!data)
    return (
      <>
        <PageHead />
        <Skeleton />
      </>
    )
  const host = { serverId: id, serverName: data.serverName }
  if (!data.file) return <NoDaemon host={host} />
  return <Options key={data.file.daemon} host={host} daemons={data.daemons} file={data.file} />
}

type Host = { readonly serverId: string; readonly serverName: string }
type Props = { host: Host; daemons: OptionsAnswer['daemons']; file: OptionsFile }

function Options({ host, daemons, file }: Props) {
  const { number } = useKnownCustomer()
  const queries = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const name: FileName = { customerNumber: number, serverId: host.serverId, daemon: file.daemon }
  const reload = () => void queries.invalidateQueries({ queryKey: ['license-servers/options'] })
  const choose = (daemon: string) => {
    const next = new URLSearchParams(search)
    next.set('daemon', daemon)
    setSearch(next)
  }
  return (
    <>
      <PageHead
        title={`Options file of ${file.daemon}`}
        context={
          <>
            On <HostLink host={host} isInText />. A vendor daemon reads in its options file who may use its seats.
          </>
        }
        actions={
          <>
            {daemons.length > 1 && (
              <NativeSelect
                aria-label="Vendor daemon"
                value={file.daemon}
                onChange={(event) => choose(event.currentTarget.value)}
                data={daemons}
              />
            )}
            <Download name={name} version={file.revision} />
          </>
        }
      />
      <div className={classes.page}>
        <OptionsEditor name={name} file={file} onSaved={reload}>
          {(restore) => (
            <div className={classes.cards}>
              <Reservations name={name} file={file} onSaved={reload} />
              <Installs file={file} />
              <Versions name={name} file={file} onRestore={restore} />
            </div>
          )}
        </OptionsEditor>
      </div>
    </>
  )
}

function Download({ name, version }: { name: FileName; version: number }) {
  const download = useMutation({
    mutationFn: () => fetchFile('license-servers/options/export', { body: name }),
    onSuccess: (file) => saveFile(file, optionsFileName(name.daemon, version)),
    onError: (error) => showPanel('error', failureText(error)),
  })
  return (
    <ReasonTooltip reason={version === 0 ? 'Nothing was saved yet.' : undefined}>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download
      </Button>
    </ReasonTooltip>
  )
}

function NoDaemon({ host }: { host: Host }) {
  return (
    <>
      <PageHead />
      <Paper>
        <EmptyState
          icon={IconServerOff}
          title="This license server has no license file yet"
          actions={
            <Button variant="default" component={PortalLink} to={licenseServerPath(host.serverId)}>
              Open the license server
            </Button>
          }
        >
          Generate the license file of <HostLink host={host} isInText />. It names the vendor daemons, and each of them
          can have an options file.
        </EmptyState>
      </Paper>
    </>
  )
}

/** The id or the vendor daemon is wrong, or another account's: which of these, nobody is told. */
function NothingHere({ serverId }: { serverId: string }) {
  return (
    <>
      <PageHead />
      <Paper>
        <EmptyState
          icon={IconServerOff}
          title="This account has no such license server or vendor daemon"
          actions={
            <Button variant="default" component={PortalLink} to="/activations-history">
              Show all license servers
            </Button>
          }
        >
          Nothing was found at this address. The license server {serverId} may belong to another account. See{' '}
          <Anchor component={PortalLink} to={licenseServerPath(serverId)} inherit underline="always">
            its page
          </Anchor>
          .
        </EmptyState>
      </Paper>
    </>
  )
}
