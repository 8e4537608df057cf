import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import classes from './shown-once.module.css'

type Props = {
  title: string
  /** In a word: "token". */
  what: string
  value: string
  /** What it is for. */
  children: ReactNode
  onClose(): void
}

/** The one time that a token or secret is shown. */
export function ShownOnce({ title, what, value, children, onClose }: Props) {
  return (
    <Dialog title={title} size={620} onClose={onClose} closeOnClickOutside={false}>
      <Text c="dimmed" mb="xs">
        Copy the {what} now and keep it in a safe place. It is not shown again. {children}
      </Text>
      <div className={classes.value}>
        <code>{value}</code>
        <CopyButton value={value} what={what} />
      </div>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Dialog>
  )
}
