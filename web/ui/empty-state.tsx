import { Group, Stack, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type Props = { icon: Icon; title: ReactNode; children?: ReactNode; actions?: ReactNode }

/** Shown if there is no data: why, and what to do. */
export function EmptyState({ icon: Mark, title, children, actions }: Props) {
  return (
    <Stack gap="0.25rem" align="center" ta="center" p="lg">
      <Text c="dimmed" lh={0}>
        <Mark size={20} stroke={1.6} aria-hidden />
      </Text>
      <Text fw={500}>{title}</Text>
      {children && (
        <Text component="div" size="sm" c="dimmed">
          {children}
        </Text>
      )}
      {actions && <Group mt="xs">{actions}</Group>}
    </Stack>
  )
}
