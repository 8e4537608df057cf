import path from 'node:path'
import type { Config } from '#server/config.ts'

/** Where the files of background exports lie. With several API processes, DATA_DIR is a directory that they share. */
export function exportDirectory({ dataDir }: Config): string {
  return path.join(dataDir, 'exports')
}

/** The id is a UUID of our own making, so it is safe as a name. */
export function exportFile(config: Config, id: string): string {
  return path.join(exportDirectory(config), `${id}.csv`)
}
