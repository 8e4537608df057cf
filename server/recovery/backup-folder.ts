import fs from 'node:fs/promises'
import path from 'node:path'
import { BackupError, MAGIC } from '#server/backup/backup-format.ts'

const DAY = 24 * 60 * 60 * 1000
/** Files that the portal names itself. Others in the folder are never deleted. */
const OURS = /^portal-\d{8}T\d{6}Z\.backup(?:\.part)?$/

/** `portal-20261118T021500Z.backup` */
export const backupName = (now: Date): string => `portal-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`

type Found = { readonly file: string; readonly writtenAt: Date }

/** Finished backups in a folder, whatever their names, the newest first. */
export async function listBackups(folder: string): Promise<Found[]> {
  const names = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`The backup folder ${folder} cannot be read: ${error.code}`)
  })
  const found: Found[] = []
  for (const name of names.filter((one) => !one.endsWith('.part'))) {
    const file = path.join(folder, name)
    const stat = await fs.stat(file).catch(() => undefined)
    if (stat?.isFile() && (await beginsAsBackup(file))) found.push({ file, writtenAt: stat.mtime })
  }
  return found.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime() || (a.file < b.file ? 1 : -1))
}

async function beginsAsBackup(file: string): Promise<boolean> {
  const handle = await fs.open(file).catch(() => undefined)
  // An unreadable backup is one: a drill names it instead of trying an older one.
  if (!handle) return file.endsWith('.backup')
  try {
    const { buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return buffer.toString('latin1') === MAGIC
  } finally {
    await handle.close()
  }
}

/** Deletes the portal's own backups that are older than this, but never the newest. Returns their number. */
export async function deleteOldBackups(folder: string, keepDays: number, now: Date): Promise<number> {
  const [newest, ...others] = await listBackups(folder)
  const isOld = (writtenAt: Date) => now.getTime() - writtenAt.getTime() > keepDays * DAY
  const old = others.filter(({ file, writtenAt }) => OURS.test(path.basename(file)) && isOld(writtenAt))
  for (const { file } of old) await fs.rm(file, { force: true })
  if (newest) await deleteUnfinished(folder, now)
  return old.length
}

/** What a killed process left behind. A backup that takes a day is still being written. */
async function deleteUnfinished(folder: string, now: Date): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (!OURS.test(name) || !name.endsWith('.part')) continue
    const file = path.join(folder, name)
    const stat = await fs.stat(file).catch(() => undefined)
    if (stat && now.getTime() - stat.mtimeMs > DAY) await fs.rm(file, { force: true })
  }
}
