import { crc32 } from 'node:zlib'

/** The files of a zip archive by name, found through its directory as any reader does. Stored files only. */
export function readZip(bytes: Buffer): Record<string, string> {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const files: Record<string, string> = {}
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, size, nameLength] = [
      bytes.readUInt32LE(at + 16),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(start, start + size)
    if (crc32(content) !== crc) throw new Error(`The checksum of the file at ${local} is wrong`)
    files[bytes.toString('utf8', at + 46, at + 46 + nameLength)] = content.toString()
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return files
}
