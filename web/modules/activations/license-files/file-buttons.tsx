import { Button, Group } from '@mantine/core'
import { IconFileDiff, IconFiles } from '@tabler/icons-react'
import type { HostIdentity } from '#domain/activations/hosts/host.ts'
import type { HostDialog } from '#web/modules/activations/history/host-dialogs.tsx'

type Props = { host: HostIdentity; onDialog(dialog: HostDialog): void }

/** Every license file of a host, and what differs between two of them. */
export function FileButtons({ host, onDialog }: Props) {
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconFiles size={14} aria-hidden />}
        onClick={() => onDialog({ kind: 'files', host })}
      >
        License files
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconFileDiff size={14} aria-hidden />}
        onClick={() => onDialog({ kind: 'compare', host })}
      >
        Compare license files
      </Button>
    </Group>
  )
}
