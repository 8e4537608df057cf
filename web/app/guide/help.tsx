import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { HELP, useOpenHelp } from '#web/ui/help-address.ts'
import { useSingleKeys } from '#web/ui/single-keys.ts'

const HelpDrawer = lazy(async () => ({ default: (await import('#web/app/guide/help-drawer.tsx')).HelpDrawer }))

const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null

/** The guide, opened by its address, by the button of a page or by "?" outside of fields. It is loaded when it opens. */
export function Help() {
  const [search] = useSearchParams()
  const openHelp = useOpenHelp()
  const [hasSingleKeys] = useSingleKeys()
  useHotkeys(hasSingleKeys ? [['shift+?', () => !isDialogOpen() && openHelp()]] : [])
  const isOpen = search.has(HELP)
  const [wasOpened, setWasOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setWasOpened(true)
  return (
    wasOpened && (
      <Suspense>
        <HelpDrawer isOpen={isOpen} />
      </Suspense>
    )
  )
}
