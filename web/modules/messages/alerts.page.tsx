import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { canOnPortal } from '#domain/access/can.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { AlertList } from '#web/modules/messages/alert-list.tsx'
import { PageHead } from '#web/ui/page-head.tsx'

const AlertDialog = lazy(async () => ({
  default: (await import('#web/modules/messages/alert.dialog.tsx')).AlertDialog,
}))

export function Page() {
  const { actor } = useSignedIn()
  const [isWriting, dialog] = useDisclosure(false)
  return (
    <>
      <PageHead
        actions={
          canOnPortal(actor, 'alerts.write').allowed && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
              New alert
            </Button>
          )
        }
      />
      <AlertList tableName="alertList" />
      <Suspense>{isWriting && <AlertDialog onClose={dialog.close} />}</Suspense>
    </>
  )
}
