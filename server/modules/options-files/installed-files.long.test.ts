import { expect, test } from 'vitest'
import { runInstalls } from '#server/testing/collector/options-run.ts'

const KILLS = 30

test(`the collector leaves the old or the new options file when it is killed ${KILLS} times, never a part`, async () => {
  for (const seed of ['one', 'two', 'three']) {
    const { faults, reads, withinWrite, versionsAtKills } = await runInstalls(`${seed} ${Date.now()}`, KILLS)
    console.log(
      `${KILLS} kills, ${withinWrite} of them within a write, ${versionsAtKills} versions on the disk at a kill, ${reads} looks`,
    )
    expect(faults).toEqual([])
    expect(versionsAtKills).toBeGreaterThan(1)
  }
})
