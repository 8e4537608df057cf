import { Button, Group, Radio, Text } from '@mantine/core'
import { useId, useState } from 'react'
import type { Conflict } from '#web/form/use-form.ts'
import type { Side } from '#web/form/versions.ts'
import { bringIntoView, SignalStrip } from '#web/ui/signal-strip.tsx'
import classes from './conflict-panel.module.css'

const SIDES = ['theirs', 'yours'] as const
const HEADS: Record<Side, string> = { theirs: 'Saved by someone else', yours: 'Yours' }

/** Somebody else has saved first. Shows both versions and lets the person choose line by line. */
export function ConflictPanel({ conflict: { message, differences, resolve } }: { conflict: Conflict }) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({})
  const group = useId()
  /** With one difference the two buttons are enough. */
  const hasChoices = differences.length > 1
  return (
    <SignalStrip ref={bringIntoView} signal="orange" role="alert">
      <Text mb="0.5rem">{message} Nothing was saved. Your changes are still here. Choose which version to keep.</Text>
      <div className={classes.frame}>
        <table className={`plain-table ${classes.versions}`} aria-label="Both versions">
          <thead>
            <tr>
              <td />
              <th>{HEADS.theirs}</th>
              <th>{HEADS.yours}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((difference) => (
              <tr key={difference.id}>
                <th scope="row">{difference.label}</th>
                {SIDES.map((side) => (
                  <td key={side} data-label={HEADS[side]}>
                    {hasChoices ? (
                      <Radio
                        size="xs"
                        name={`${group} ${difference.id}`}
                        label={difference[side] || EMPTY}
                        aria-label={`${difference.label}: ${HEADS[side]}, ${difference[side]}`}
                        checked={(chosen[difference.id] ?? difference.suggested) === side}
                        onChange={() => setChosen((now) => ({ ...now, [difference.id]: side }))}
                      />
                    ) : (
                      difference[side] || EMPTY
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Group gap="xs" mt="sm">
        {hasChoices && (
          <Button
            size="xs"
            onClick={() =>
              resolve((id) => chosen[id] ?? differences.find((one) => one.id === id)?.suggested ?? 'theirs')
            }
          >
            Combine both
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => resolve(() => 'theirs')}>
          Use theirs
        </Button>
        <Button size="xs" variant="default" onClick={() => resolve(() => 'yours')}>
          Keep mine
        </Button>
      </Group>
    </SignalStrip>
  )
}

const EMPTY = 'Empty'
