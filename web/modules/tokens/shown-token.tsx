import { Button, Group } from '@mantine/core'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import classes from './tokens.module.css'

/** The one time that a token is shown. */
export function ShownToken({ name, token, onClose }: { name: string; token: string; onClose(): void }) {
  return (
    <Dialog title={`Token "${name}"`} size={620} onClose={onClose} closeOnClickOutside={false}>
      <p className={classes.about}>
        Copy the token now and keep it in a safe place. It is not shown again. Programs send it in the header{' '}
        <code>Authorization: Bearer</code>.
      </p>
      <div className={classes.token}>
        <code>{token}</code>
        <CopyButton value={token} what="token" />
      </div>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Dialog>
  )
}
