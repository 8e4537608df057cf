import type { ServerUnderTest } from '#bench/kit/child-server.ts'

/** One call of the portal, as the browser makes it. A refusal is an error. */
export async function callPortal<T>(server: ServerUnderTest, cookie: string, path: string, body: object): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  const result = (await answer.json()) as T & { status: string; err?: string }
  if (result.status !== 'SUCCESS') throw new Error(`${path}: ${result.err}`)
  return result
}
