import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { fetchFile } from '#web/lib/api/api-client.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { countText, timeText } from '#web/lib/format.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { type Chain, checkpointsQuery } from '#web/modules/audit/audit.api.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './audit.module.css'

const SHOWN = 30

/** What is needed to check the log without the portal: the signed checkpoints, and the log with all that they cover. */
export function CheckpointsDialog({ chain, onClose }: { chain: Chain; onClose(): void }) {
  const { data, error, refetch } = useQuery(checkpointsQuery(chain))
  const name = chain.customerNumber ?? 'portal'
  const lines = useMutation({
    mutationFn: () => fetchFile('audit/lines', { query: chain }),
    onSuccess: (file) => saveFile(file, `audit_${name}.ndjson`),
    onError: (failure) => showPanel('error', failureText(failure)),
  })
  const saveCheckpoints = () =>
    saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `audit-checkpoints_${name}.json`)
  const key = data?.[0]?.publicKey
  return (
    <Dialog onClose={onClose} title="Check the audit log" size="lg">
      <Stack gap="md">
        <Text size="sm">
          Every entry is sealed with the one before it. A checkpoint is the signed end of the log on one day. Keep
          checkpoints outside of the portal: they show whether an entry was changed, removed or inserted later. The
          verifier in <code>examples/audit-verifier</code> of the portal checks both files without the portal.
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={!data?.length}
            onClick={saveCheckpoints}
          >
            Download checkpoints
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={lines.isPending}
            onClick={() => lines.mutate()}
          >
            Download log as NDJSON
          </Button>
        </Group>
        {error && <FailureNotice failure={error} onRetry={() => void refetch()} />}
        {!data && !error && <Spinner />}
        {data?.length === 0 && (
          <Text c="dimmed">There is no checkpoint yet. The first one is made when the first entry is sealed.</Text>
        )}
        {key && (
          <div>
            <Text size="sm" fw={600}>
              Public key (Ed25519)
            </Text>
            <div className={classes.key}>{key}</div>
          </div>
        )}
        {data && data.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: people with a keyboard scroll it
          <section className={classes.checkpoints} aria-label="Checkpoints" tabIndex={0}>
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col">Signed</th>
                  <th scope="col">Up to sequence</th>
                  <th scope="col">Hash</th>
                </tr>
              </thead>
              <tbody>
                {data.slice(0, SHOWN).map(({ sequence, madeAt, hash }) => (
                  <tr key={sequence}>
                    <td>{timeText(madeAt)}</td>
                    <td>{countText(sequence)}</td>
                    <td className={classes.key}>{hash}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {data.length > SHOWN && (
              <Text size="sm" c="dimmed">
                {countText(data.length - SHOWN)} earlier ones are in the download.
              </Text>
            )}
          </section>
        )}
      </Stack>
    </Dialog>
  )
}
