import { spawnSync } from 'node:child_process'

/** The server tests that need no embedded database, on the cluster that CITUS_URL names. */
if (process.env.CITUS_URL === undefined) {
  console.log('Not run: CITUS_URL names no cluster (docs/scale-out.md).')
} else {
  const { status } = spawnSync('vitest', ['run', '--project', 'citus', ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
