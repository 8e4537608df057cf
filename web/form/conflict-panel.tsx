import { Button, Group, Radio, Table, Text } from '@mantine/core'
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
        <Table className={classes.versions} aria-label="Both versions">
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th>{HEADS.theirs}</Table.Th>
              <Table.Th>{HEADS.yours}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map((difference) => (
              <Table.Tr key={difference.id}>
                <Table.Th scope="row">{difference.label}</Table.Th>
                {SIDES.map((side) => (
                  <Table.Td key={side} data-label={HEADS[side]}>
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
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
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
