import dns from 'node:dns'
import { type NameServers, openResolver } from '#server/doors/egress.ts'

/** The texts at a name; undefined if the name servers did not answer. */
export type FindTexts = (name: string) => Promise<readonly string[] | undefined>

/** More than any name has. */
const MAX_TEXTS = 100

/** Reads TXT records. A text may come in several pieces. */
export function createTxtLookup(nameServers?: NameServers): FindTexts {
  return async (name) => {
    try {
      const records = await openResolver(nameServers).resolveTxt(name)
      return records.slice(0, MAX_TEXTS).map((pieces) => pieces.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === dns.NOTFOUND || code === dns.NODATA ? [] : undefined
    }
  }
}
