import { startServer } from '#bench/kit/child-server.ts'
import { type OpenedDatabase, startCluster } from '#bench/kit/database.ts'
import { busyness, describeMachine } from '#bench/kit/machine.ts'
import { signedIn } from '#bench/kit/portal-session.ts'
import { formatResults, type Results, saveResults } from '#bench/kit/results.ts'
import { measureBooking } from '#bench/usage/booking.ts'
import { ensureUsage, LARGEST, READER } from '#bench/usage/dataset.ts'
import { measureDepth } from '#bench/usage/deep-pages.ts'
import { measureExport } from '#bench/usage/export.ts'
import { measureHostileViewer } from '#bench/usage/hostile-viewer.ts'
import { measureQueries } from '#bench/usage/queries.ts'
import { measureThroughput } from '#bench/usage/throughput.ts'

/*
 * Usage Transactions on ten million rows. The data is made on the first run and kept in .data-bench; delete that
 * directory to make it again. Everything runs on loopback. `npm run bench -- trial` takes one million rows only and
 * prints its results instead of keeping them: to see that the benchmark itself works. `npm run bench -- pages`, `--
 * hostile` or `-- booking` measures only pages per second, what one hostile caller does to others, or how fast usage is
 * written, and replaces that section of the results.
 */
const isTrial = process.argv.includes('trial')
const PAGES = 'Pages per second: 20 rows of the largest customer’s month, by time'
const HOSTILE_VIEWER = 'One hostile caller'
const BOOKING = 'Booking of usage'
/** Sections that can be measured on their own. */
const SECTIONS: Readonly<
  Record<
    string,
    [heading: string, measure: (large: () => Promise<OpenedDatabase>, small: OpenedDatabase) => Promise<string>]
  >
> = {
  pages: [PAGES, async (open) => measureThroughput(await open(), say)],
  hostile: [HOSTILE_VIEWER, (_, small) => measureHostileViewer(small, say)],
  booking: [BOOKING, (_, small) => measureBooking(cluster, small, say)],
}
const section = Object.entries(SECTIONS).find(([name]) => process.argv.includes(name))?.[1]
const say = (line: string) => process.stdout.write(`${line}\n`)

const cluster = await startCluster(say)
try {
  const small = await cluster.open('bench_1m')
  await ensureUsage(small, 1_000_000, say)
  const openLarge = async () => {
    const large = await cluster.open('bench_10m')
    await ensureUsage(large, 10_000_000, say)
    return large
  }
  if (isTrial)
    say(section ? await section[1](async () => small, small) : formatResults(await measure(small, small, '1,000,000')))
  else {
    if (section) saveResults({ sections: [[section[0], await section[1](openLarge, small)]] })
    else saveResults(await measure(await openLarge(), small, '10,000,000'))
    say('written to bench/RESULTS.md')
  }
} finally {
  await cluster.embedded.stop()
}
process.exit(0)

async function measure(large: OpenedDatabase, small: OpenedDatabase, rows: string): Promise<Results> {
  const began = busyness()
  // What is measured is a server that has run for a while: the largest customer's rows are in memory.
  for (const { pool } of [large, small])
    await pool.query('select count(hours) from usage_transaction where customer_number = $1', [LARGEST])
  const cookies = { large: await signedIn(large, READER), small: await signedIn(small, READER) }
  say('pages per second')
  const throughput = await measureThroughput(large, say)
  const portal = await startServer('portal', 'usage/portal-server.ts', settingsFor(large))
  const ofSmall = await startServer('portal on 1 million', 'usage/portal-server.ts', settingsFor(small))
  try {
    say('single calls')
    const queries = await measureQueries(large, portal, cookies.large, say)
    say('depth and size')
    const depth = await measureDepth({ portal, cookie: cookies.large }, { portal: ofSmall, cookie: cookies.small }, say)
    say('export')
    const exported = await measureExport(large, portal, cookies.large, say)
    say('booking')
    const booking = await measureBooking(cluster, small, say)
    say('one hostile caller')
    const hostile = await measureHostileViewer(small, say)
    return {
      head: `# Usage Transactions on ${rows} rows

Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: 200 customers over 24 months, the largest holding a tenth.

${await describeMachine(large)}. Load average before and after: ${began.toFixed(1)} and ${busyness().toFixed(1)} (0 is an idle machine; the load itself makes about 3).`,
      sections: [
        [PAGES, throughput],
        ['Other questions', queries],
        ['Depth and size', depth],
        ['Export', exported],
        [BOOKING, booking],
        [HOSTILE_VIEWER, hostile],
      ],
    }
  } finally {
    await portal.stop()
    await ofSmall.stop()
  }
}

function settingsFor({ connection }: OpenedDatabase) {
  return { connection, dataDir: '.data-bench/portal' }
}
