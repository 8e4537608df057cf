import { expect, test } from 'vitest'
import { runLine } from '#server/testing/waiting/line-run.ts'

const RUNS = 3

test(`50 people in line: nobody is told twice and nobody is forgotten in ${RUNS} random runs with kill -9 and clock steps`, async () => {
  const begun = Date.now()
  const totals = { kills: 0, clockSteps: 0, told: 0, took: 0 }
  const faults: string[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const seed = `${begun}-${run}`
    const result = await runLine({ seed, steps: 150, killEvery: 8 })
    for (const name of ['kills', 'clockSteps', 'told', 'took'] as const) totals[name] += result[name]
    faults.push(...result.faults.map((fault) => `seed ${seed}: ${fault}`))
  }
  console.log(`${RUNS} runs: ${JSON.stringify(totals)}`)
  expect(faults).toEqual([])
})
