import { Button, Group } from '@mantine/core'

type Props = { onClear(): void; onCancel(): void; canApply?: boolean }

/** Below every filter. Apply, and Enter in a field, submit the form around it. */
export function FilterButtons({ onClear, onCancel, canApply = true }: Props) {
  return (
    <Group justify="space-between">
      <Button size="xs" variant="default" onClick={onClear}>
        Clear
      </Button>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="xs" type="submit" disabled={!canApply}>
          Apply
        </Button>
      </Group>
    </Group>
  )
}
