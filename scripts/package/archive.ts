import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stage } from './stage.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SYSTEMD = path.join(ROOT, 'deploy/systemd')

/** One archive for machines without internet. Returns its file; its checksum lies beside it. */
export function makeArchive(target: string): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const name = `licensing-portal-${version}-${process.platform}-${process.arch}`
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'package-'))
  try {
    const directory = path.join(scratch, name)
    stage(directory)
    for (const file of fs.readdirSync(SYSTEMD)) fs.copyFileSync(path.join(SYSTEMD, file), path.join(directory, file))
    writeChecksums(directory)
    fs.mkdirSync(target, { recursive: true })
    const archive = path.join(target, `${name}.tar.gz`)
    execFileSync('tar', ['--owner=0', '--group=0', '-czf', archive, '-C', scratch, name])
    fs.writeFileSync(`${archive}.sha256`, `${checksum(archive)}  ${path.basename(archive)}\n`)
    return archive
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}

/** In the format of sha256sum, which the install script checks. */
function writeChecksums(directory: string): void {
  const files = fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort()
  const lines = files.map((file) => `${checksum(path.join(directory, file))}  ${file}\n`)
  fs.writeFileSync(path.join(directory, 'SHA256SUMS'), lines.join(''))
}

const checksum = (file: string) => createHash('sha256').update(fs.readFileSync(file)).digest('hex')
