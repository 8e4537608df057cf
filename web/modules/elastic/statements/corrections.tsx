import { Text } from '@mantine/core'
import { correctionsNote, type StatedCorrections } from '#domain/elastic/statements/stated-corrections.ts'

/** What corrections took back in the period. The usage screen shows each with its original. */
export function Corrections({ corrections }: { corrections: readonly StatedCorrections[] | undefined }) {
  const note = correctionsNote(corrections ?? [])
  return note ? (
    <Text size="sm" mb="md">
      {note}
    </Text>
  ) : null
}
