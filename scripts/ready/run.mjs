import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Runs a command, shows its output, and returns its exit code and everything that it wrote to stderr. */
export function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'pipe'],
      shell: process.platform === 'win32',
    })
    let complaints = ''
    child.stderr.on('data', (text) => {
      complaints += text
      process.stderr.write(text)
    })
    child.on('error', (error) => resolve({ code: 127, complaints: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, complaints }))
  })
}

/** The Node that the lockfile pins. The machine's own Node runs only the first install. */
export function projectNode() {
  return existsSync('node_modules/.bin/node') ? 'node_modules/.bin/node' : process.execPath
}
