import type { Device } from '#e2e/measure/tasks/hand.ts'

type Before = Readonly<Record<Device, string>>

/** By the name of the task, measured by this script on the screens of then (commit 98ee49f3). */
export const BEFORE: Readonly<Record<string, Before>> = {}

export const NOT_POSSIBLE_BEFORE = ''
