import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { OptionsWhatIf } from '#contract/options-files/options-files.ts'
import { countOf } from '#web/lib/format.ts'
import { type FileName, whatIfQuery } from '#web/modules/options-files/options-files.api.ts'
import { TextDifference } from '#web/modules/options-files/text-difference.tsx'
import { FailureNotice } from '#web/ui/failure-notice.tsx'
import { SignalStrip } from '#web/ui/signal-strip.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './options-files.module.css'

/** What is about to be saved, and what it would have done to the requests of the last 30 days. */
export function SavePreview({ name, before, after }: { name: FileName; before: string; after: string }) {
  const { data, error, refetch } = useQuery(whatIfQuery(name, after))
  return (
    <div className={classes.preview}>
      {error ? (
        <FailureNotice failure={error} onRetry={refetch} />
      ) : data ? (
        <Replay whatIf={data} />
      ) : (
        <Spinner text="Replaying the requests of the last 30 days..." />
      )}
      <TextDifference before={before} after={after} />
    </div>
  )
}

function Replay({ whatIf: { replay, hasPseudonyms } }: { whatIf: OptionsWhatIf }) {
  if (hasPseudonyms)
    return (
      <Text c="dimmed">
        Users of this account have pseudonyms, so the portal cannot tell what these rules would have done.
      </Text>
    )
  if (!replay)
    return <Text c="dimmed">No checkouts were measured in the last 30 days, so nothing can be replayed.</Text>
  const { avoided, added, from, to, features, leftOut, checkouts, denials } = replay
  return (
    <>
      <SignalStrip signal={added > 0 ? 'orange' : 'blue'} role="status">
        <Text fw={500}>
          {avoided === 0 && added === 0
            ? 'This change would have denied nobody and helped nobody.'
            : `${countOf(avoided, 'denial')} would not have happened, ${countOf(added, 'checkout')} would have been denied.`}
        </Text>
        <Text>
          Replayed with {countOf(checkouts, 'checkout')} and {countOf(denials, 'denial')} from {from} to {to}.
          {leftOut.length > 0 &&
            ` Not replayed: ${leftOut.length === 1 ? 'line' : 'lines'} ${leftOut.slice(0, 10).join(', ')}, because logs do not name what they are about.`}
        </Text>
      </SignalStrip>
      {features.length > 1 && (
        <table className={classes.table} aria-label="Effect by feature">
          <thead>
            <tr>
              <th scope="col">Feature</th>
              <th scope="col" data-figure>
                Denials fewer
              </th>
              <th scope="col" data-figure>
                Checkouts denied
              </th>
            </tr>
          </thead>
          <tbody>
            {features.map((one) => (
              <tr key={one.feature}>
                <th scope="row">{one.feature}</th>
                <td data-figure>{one.avoided}</td>
                <td data-figure>{one.added}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
