import type { Module } from '#server/modules/module.ts'

export const catalogModule: Module = {
  name: 'catalog',
  mayUse: [],
  isShared: true,
}
