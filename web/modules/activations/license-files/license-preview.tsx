import { Button, CopyButton, Group, SegmentedControl, Text, Title } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { differenceText } from '#domain/activations/license-files/difference-text.ts'
import { call, type Data } from '#web/lib/api/api-client.ts'
import { timeText } from '#web/lib/format.ts'
import { LicenseLines } from '#web/modules/activations/license-files/license-lines.tsx'
import classes from '#web/modules/activations/plans/confirm-changes.module.css'
import { type SaveJob, toSaveBody } from '#web/modules/activations/plans/save-job.ts'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type View = 'Changes' | 'Whole file'

function previewQuery(job: SaveJob) {
  return queryOptions({
    queryKey: ['license-preview', job.saveId],
    queryFn: ({ signal }) => {
      const { email: _, ...body } = toSaveBody(job)
      return call('fulfillments/preview', { body, signal })
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The license file that the save would generate, compared with the current one. */
export function LicensePreview({ job }: { job: SaveJob }) {
  const [view, setView] = useState<View>('Changes')
  const { data, error, refetch } = useQuery({ ...previewQuery(job), placeholderData: keepPreviousData })
  return (
    <section className={classes.preview} aria-label="License file">
      <Group gap="0.5rem 1rem" mb="0.5rem">
        <Title order={3}>License file</Title>
        {data && (
          <Text size="sm" c="dimmed">
            {summaryText(data)}
          </Text>
        )}
        {data?.licenseText && (
          <Group gap="0.5rem" ml="auto" wrap="nowrap">
            <SegmentedControl
              size="xs"
              data={['Changes', 'Whole file']}
              value={view}
              onChange={(value) => setView(value as View)}
              aria-label="Part of the license file to show"
            />
            <CopyButton value={data.licenseText} timeout={1500}>
              {({ copied, copy }) => (
                <Button
                  size="xs"
                  variant="default"
                  onClick={copy}
                  leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
                >
                  {copied ? 'Copied' : 'Copy preview'}
                </Button>
              )}
            </CopyButton>
          </Group>
        )}
      </Group>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : data ? (
        <LicenseLines
          entries={
            view === 'Changes'
              ? data.difference.entries
              : [{ kind: 'unchanged', lines: data.licenseText.trimEnd().split('\n') }]
          }
          isWhole={view === 'Whole file'}
        />
      ) : (
        <Spinner text="Comparing license files..." />
      )}
    </section>
  )
}

type Preview = Data<'fulfillments/preview'>

function summaryText({ before, difference, licenseText }: Preview): string {
  const compared = before ? `Compared with the file of ${timeText(before.generatedAt)}. ` : 'This is the first file. '
  if (licenseText === '') return 'No licenses are left on this license server, so no license file will be generated.'
  return `${compared}${differenceText(difference.summary)} Signatures are added when the file is generated.`
}
