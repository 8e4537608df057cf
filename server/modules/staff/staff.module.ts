import type { Module } from '#server/modules/module.ts'

export const staffModule: Module = {
  name: 'staff',
  mayUse: [],
}
