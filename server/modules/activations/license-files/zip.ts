import { crc32 } from 'node:zlib'

export type ZippedFile = { readonly name: string; readonly content: Uint8Array }

const [LOCAL_HEADER, CENTRAL_HEADER, END] = [0x04034b50, 0x02014b50, 0x06054b50]
/** What a reader must understand: version 1.0, files that are stored as they are. */
const VERSION = 10

/** Files in one zip archive, without compression. Every name is made safe and occurs once. */
export function createZip(files: readonly ZippedFile[], now: Date): Buffer {
  const local: Uint8Array[] = []
  const central: Uint8Array[] = []
  let offset = 0
  for (const { name, content } of withUniqueNames(files)) {
    const fileName = Buffer.from(name)
    const facts = factsOf(fileName, content, now)
    const start = Buffer.concat([uint32(LOCAL_HEADER), facts, fileName])
    // No comment, first disk, plain bytes, no file permissions.
    const entry = [uint32(CENTRAL_HEADER), uint16(VERSION), facts, uint16(0, 0, 0), uint32(0, offset), fileName]
    local.push(start, content)
    central.push(...entry)
    offset += start.length + content.length
  }
  const directory = Buffer.concat(central)
  const counts = uint16(0, 0, files.length, files.length)
  const end = [uint32(END), counts, uint32(directory.length, offset), uint16(0)]
  return Buffer.concat([...local, directory, ...end])
}

/** The fields that both headers of a file have, from the version to the length of the extra field. */
function factsOf(fileName: Buffer, content: Uint8Array, now: Date): Buffer {
  const time = (now.getUTCHours() << 11) | (now.getUTCMinutes() << 5) | (now.getUTCSeconds() >> 1)
  const day = ((now.getUTCFullYear() - 1980) << 9) | ((now.getUTCMonth() + 1) << 5) | now.getUTCDate()
  return Buffer.concat([
    uint16(VERSION, 0, 0, time, day),
    uint32(crc32(content), content.length, content.length),
    uint16(fileName.length, 0),
  ])
}

/** No folders and no characters that a file system refuses. A second file of the same name gets a number. */
function withUniqueNames(files: readonly ZippedFile[]): ZippedFile[] {
  const taken = new Set<string>()
  return files.map(({ name, content }) => {
    const safe = name.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '_')
    let unique = safe
    for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${number}_${safe}`
    taken.add(unique.toLowerCase())
    return { name: unique, content }
  })
}

function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, at * 2)
  return bytes
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4)
  return bytes
}
