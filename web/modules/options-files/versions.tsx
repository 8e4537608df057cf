import { Button, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OptionsFile } from '#contract/options-files/options-files.ts'
import { NOT_ENOUGH_PERMISSIONS } from '#domain/access/can.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useCan } from '#web/lib/customer.tsx'
import { timeText } from '#web/lib/format.ts'
import { OptionsCard } from '#web/modules/options-files/options-card.tsx'
import { type FileName, versionQuery } from '#web/modules/options-files/options-files.api.ts'
import { TextDifference } from '#web/modules/options-files/text-difference.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { ReasonTooltip } from '#web/ui/reason-tooltip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './options-files.module.css'

type Props = { name: FileName; file: OptionsFile; onRestore(version: number, text: string): void }

/** Everything that was saved, the newest first. */
export function Versions({ name, file: { versions, text }, onRestore }: Props) {
  const queries = useQueryClient()
  const reason = useCan('activations.write') ? undefined : NOT_ENOUGH_PERMISSIONS
  const [compared, setCompared] = useState<number>()
  const restore = async (version: number) => {
    try {
      const earlier = await queries.fetchQuery(versionQuery(name, version))
      onRestore(version, earlier.text)
      showPanel('success', `Version ${version} is in the text above. Review and save it.`)
    } catch (error) {
      showPanel('error', failureText(error as Error))
    }
  }
  return (
    <OptionsCard title="Versions" about="Every save is kept.">
      {versions.length === 0 ? (
        <Text c="dimmed">Nothing was saved yet.</Text>
      ) : (
        <ul className={classes.list}>
          {versions.map(({ version, savedBy, savedAt, restoredFrom }, index) => (
            <li key={version}>
              <span>
                <Text component="span" fw={500}>
                  Version {version}
                </Text>
                <span className={classes.meta}>
                  {[timeText(savedAt), savedBy, restoredFrom !== null && `as version ${restoredFrom}`]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              {index > 0 && (
                <span className={classes.buttons}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Difference between version ${version} and now`}
                    onClick={() => setCompared(version)}
                  >
                    Difference
                  </Button>
                  <ReasonTooltip reason={reason}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Restore version ${version}`}
                      onClick={() => void restore(version)}
                    >
                      Restore
                    </Button>
                  </ReasonTooltip>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {compared !== undefined && (
        <Dialog title={`Version ${compared} and the newest one`} size={900} onClose={() => setCompared(undefined)}>
          <Comparison name={name} version={compared} newest={text} />
        </Dialog>
      )}
    </OptionsCard>
  )
}

function Comparison({ name, version, newest }: { name: FileName; version: number; newest: string }) {
  const { data, error, refetch } = useQuery(versionQuery(name, version))
  if (error) return <FailureNotice failure={error} onRetry={refetch} />
  return data ? <TextDifference before={data.text} after={newest} /> : <Spinner />
}
