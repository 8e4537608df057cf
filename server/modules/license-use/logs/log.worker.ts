import { readStatus } from '#server/modules/license-use/lmstat/status-rows.ts'
import { findGone } from '#server/modules/license-use/logs/gone-rows.ts'
import { joinHalves } from '#server/modules/license-use/logs/joined-rows.ts'
import { readLog } from '#server/modules/license-use/logs/log-rows.ts'
import { doTasks } from '#server/threads/work.ts'

export type LogWork = typeof WORK

const WORK = { log: readLog, status: readStatus, join: joinHalves, gone: findGone }

/** A thread that reads one text of a license server after the other. */
doTasks(WORK)
