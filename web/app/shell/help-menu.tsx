import { ActionIcon, Menu } from '@mantine/core'
import { IconBook2, IconHelpCircle, IconLifebuoy } from '@tabler/icons-react'
import { runtimeConfig } from '#web/lib/runtime-config.ts'

export function HelpMenu() {
  const { documentationUrl, supportUrl } = runtimeConfig()
  return (
    <Menu position="bottom-end" width={200} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Help">
          <IconHelpCircle size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={documentationUrl}
          target="_blank"
          rel="noopener"
          leftSection={<IconBook2 size={16} aria-hidden />}
        >
          Documentation
        </Menu.Item>
        <Menu.Item
          component="a"
          href={supportUrl}
          target="_blank"
          rel="noopener"
          leftSection={<IconLifebuoy size={16} aria-hidden />}
        >
          Get Support
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
