import { Button } from '@mantine/core'

type Props = { text: string; name: string; isDisabled: boolean; onClick(): void }

/** Remove or Undo of one row. */
export function RowButton({ text, name, isDisabled, onClick }: Props) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={`${text} ${name}`}
      disabled={isDisabled}
      // The second half of a double click must not undo the first.
      onClick={(event) => event.detail <= 1 && onClick()}
    >
      {text}
    </Button>
  )
}
