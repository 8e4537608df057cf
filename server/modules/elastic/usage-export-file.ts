import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#server/config.ts'

/** Where the files of background exports lie. With several API processes, DATA_DIR is a directory that they share. */
function exportDirectory({ dataDir }: Config): string {
  return path.join(dataDir, 'exports')
}

/** The id is a UUID of our own making, so it is safe as a name. */
export function exportFile(config: Config, id: string): string {
  return path.join(exportDirectory(config), `${id}.csv`)
}

/** Under a name of its own until it is complete, so that half a file is never downloaded. */
export function unfinishedFile(config: Config, id: string): string {
  return `${exportFile(config, id)}.part`
}

export async function findExportFile(config: Config, id: string): Promise<{ file: string; size: number } | undefined> {
  const file = exportFile(config, id)
  const found = await fs.stat(file).catch(() => undefined)
  return found && { file, size: found.size }
}

export async function removeExportFiles(config: Config, id: string): Promise<void> {
  for (const file of [exportFile(config, id), unfinishedFile(config, id)]) await fs.rm(file, { force: true })
}

/** Makes the directory on the way: the disk that counts is the one that it is on. */
export async function hasFreeSpace(config: Config): Promise<boolean> {
  const directory = exportDirectory(config)
  await fs.mkdir(directory, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await fs.statfs(directory)
  return bavail * bsize >= config.exports.minFreeBytes
}
