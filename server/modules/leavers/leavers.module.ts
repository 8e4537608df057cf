import type { Module } from '#server/modules/module.ts'

export const leaversModule: Module = {
  name: 'leavers',
  mayUse: ['accounts', 'web-licenses', 'license-use', 'requests', 'reminders'],
}
