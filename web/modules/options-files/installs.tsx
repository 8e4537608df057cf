import { Text } from '@mantine/core'
import type { OptionsFile, OptionsInstall } from '#contract/options-files/options-files.ts'
import { timeText } from '#web/lib/format.ts'
import { OptionsCard } from '#web/modules/options-files/options-card.tsx'
import { SignalDot } from '#web/ui/signal-dot.tsx'
import classes from './options-files.module.css'

const ABOUT =
  'The collector installs the file of today if its configuration has OPTIONS_FILE, and tells the vendor daemon with REREAD.'

/** Which version runs where, as the collectors reported. */
export function Installs({ file: { installs } }: { file: OptionsFile }) {
  return (
    <OptionsCard title="Installed" about={ABOUT}>
      {installs.length === 0 ? (
        <Text c="dimmed">No collector has reported this file. Download it, or set up the collector.</Text>
      ) : (
        <ul className={classes.list}>
          {installs.map((install) => (
            <li key={install.machine}>
              <span>
                <Text component="span" fw={500}>
                  {install.machine}
                </Text>
                <span className={classes.meta}>
                  Version {install.version}, file of {install.day} · reported {timeText(install.reportedAt)}
                </span>
                {install.message && <span className={classes.meta}>{install.message}</span>}
              </span>
              <State install={install} />
            </li>
          ))}
        </ul>
      )}
    </OptionsCard>
  )
}

function State({ install: { outcome, isCurrent } }: { install: OptionsInstall }) {
  if (outcome === 'failed') return <SignalDot signal="red">Not read by the vendor daemon</SignalDot>
  if (outcome === 'refused') return <SignalDot signal="red">Refused</SignalDot>
  return isCurrent ? <SignalDot signal="green">Up to date</SignalDot> : <SignalDot signal="orange">Older</SignalDot>
}
