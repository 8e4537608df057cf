import { UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconExternalLink, IconEye, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { roleLabel } from '#domain/access/role-label.ts'
import { initials, plainName } from '#web/app/shell/initials.ts'
import { failureText } from '#web/lib/api/api-error.ts'
import { useCan, useCustomer } from '#web/lib/customer.tsx'
import { leaveSafely } from '#web/lib/kept/unsaved-changes.ts'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import { signOut } from '#web/lib/sign-in/sign-in.ts'
import { useSignedIn } from '#web/lib/sign-in/signed-in.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { showPanel } from '#web/ui/panels.ts'
import { useSingleKeys } from '#web/ui/single-keys.ts'
import classes from './toolbar.module.css'

const ViewAsDialog = lazy(async () => ({
  default: (await import('#web/modules/settings/view-as.dialog.tsx')).ViewAsDialog,
}))

const SCHEMES = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const

export function AvatarMenu() {
  const { user, actor } = useSignedIn()
  const customer = useCustomer()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [hasSingleKeys, setHasSingleKeys] = useSingleKeys()
  const mayView = useCan('contacts.view-as') && customer.state === 'known'
  const [isChoosing, setIsChoosing] = useState(false)
  const role = roleLabel(actor, customer.state === 'known' ? customer.standing : undefined)
  // What the label of the specification means.
  const plainRole = /^\((?:Portal )?(.+) Role\)$/.exec(role)?.[1]
  const name = plainName(user.firstName, user.lastName)
  const letters = initials(user.firstName, user.lastName)
  const leave = () => signOut().catch((error) => showPanel('error', `You are still signed in. ${failureText(error)}`))

  return (
    <>
      <Menu
        position="bottom-end"
        width={260}
        withinPortal={false}
        button={
          <UnstyledButton className={classes.avatar} aria-label={`${letters}, account of ${name || user.email}`}>
            {letters}
          </UnstyledButton>
        }
      >
        <Menu.Label>
          <span className={classes.person}>
            <span className={classes.name}>{name}</span>
            <span>{user.email}</span>
            {plainRole && <span>{plainRole}</span>}
            {role && <span>{role}</span>}
          </span>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Color scheme</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {SCHEMES.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} aria-hidden />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.CheckboxItem checked={hasSingleKeys} onChange={setHasSingleKeys}>
          Shortcuts / and ?
        </Menu.CheckboxItem>
        <Menu.Divider />
        {mayView && (
          <Menu.Item leftSection={<IconEye size={16} aria-hidden />} onClick={() => setIsChoosing(true)}>
            View as customer
          </Menu.Item>
        )}
        <Menu.Item
          component="a"
          href={runtimeConfig().profileEditUrl}
          target="_blank"
          rel="noopener"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          Manage Account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leaveSafely(leave)}>
          Sign Out
        </Menu.Item>
      </Menu>
      <Suspense>{isChoosing && <ViewAsDialog onClose={() => setIsChoosing(false)} />}</Suspense>
    </>
  )
}
