import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#server/config.ts'
import type { TaskRow } from '#server/tasks/tasks.queries.ts'

type Named = Pick<TaskRow, 'id' | 'file_name'>

/** Where the files of background tasks lie. With several API processes, DATA_DIR is a directory that they share. */
function taskDirectory({ dataDir }: Config): string {
  return path.join(dataDir, 'exports')
}

/** The id is a UUID of our own making, so it is safe as a name. */
export function taskFile(config: Config, { id, file_name }: Named): string {
  return path.join(taskDirectory(config), `${id}${path.extname(file_name)}`)
}

/** Under another name until it is complete, so that half a file is never downloaded. */
export function unfinishedFile(config: Config, task: Named): string {
  return `${taskFile(config, task)}.part`
}

export async function findTaskFile(config: Config, task: Named): Promise<{ file: string; size: number } | undefined> {
  const file = taskFile(config, task)
  const found = await fs.stat(file).catch(() => undefined)
  return found && { file, size: found.size }
}

export async function removeTaskFiles(config: Config, task: Named): Promise<void> {
  for (const file of [taskFile(config, task), unfinishedFile(config, task)]) await fs.rm(file, { force: true })
}

/** Creates the directory if needed: the disk that counts is the one that it is on. */
export async function hasFreeSpace(config: Config): Promise<boolean> {
  const directory = taskDirectory(config)
  await fs.mkdir(directory, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await fs.statfs(directory)
  return bavail * bsize >= config.exports.minFreeBytes
}
