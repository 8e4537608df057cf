import { expect, test } from 'vitest'
import { runCollector } from '#server/testing/collector/collector-run.ts'

const RUNS = 100

test(`the collector loses nothing and sends nothing twice in ${RUNS} random runs with kill -9`, async () => {
  const totals = { kills: 0, renamed: 0, copied: 0, packed: 0, written: 0, lost: 0, twice: 0 }
  const faults: string[] = []
  const begun = Date.now()
  for (let run = 0; run < RUNS; run += 1) {
    const seed = `${begun}-${run}`
    const result = await runCollector(seed)
    for (const name of ['kills', 'renamed', 'copied', 'packed'] as const) totals[name] += result[name]
    const arrived = new Set(result.arrived)
    const lost = result.written.filter((line) => !arrived.has(line))
    const twice = result.arrived.length - arrived.size
    totals.written += result.written.length
    totals.lost += lost.length
    totals.twice += twice
    const unknown = [...arrived].filter((line) => !result.written.includes(line))
    if (lost.length || twice || unknown.length)
      faults.push(`seed ${seed}: ${lost.length} lost, ${twice} twice, ${unknown.length} unknown`)
    faults.push(...result.faults.map((fault) => `seed ${seed}: ${fault}`))
  }
  console.log(`${RUNS} runs: ${JSON.stringify(totals)}`)
  expect(faults).toEqual([])
})
