import { spawnSync } from 'node:child_process'

/**
 * The server tests that need no embedded database, on the cluster that CITUS_URL names, such as
 * postgres://postgres@127.0.0.1:5432/portal, with a database that knows its workers. The role has to be a superuser: each
 * test file gets copies of databases on all nodes.
 */
if (process.env.CITUS_URL === undefined) {
  console.log('Not run: CITUS_URL names no cluster (scripts/test-citus.ts).')
} else {
  const { status } = spawnSync('vitest', ['run', '--project', 'citus', ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
