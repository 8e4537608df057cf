import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Adapter, AdapterPayload, JWKS } from 'oidc-provider'

/** The cookie that holds the session of the demo provider. */
export const DEMO_COOKIE = 'demo_idp'

/** What all processes of a portal have in common, so that any of them can go on with a sign-in. */
export type DemoKeys = { readonly clientSecret: string; readonly cookieKey: string; readonly jwks: JWKS }
export type DemoProvider = { readonly keys: DemoKeys; readonly adapter: (model: string) => Adapter }

export const createDemoProvider = (): DemoProvider => ({
  keys: {
    clientSecret: randomBytes(24).toString('base64url'),
    cookieKey: randomBytes(24).toString('hex'),
    jwks: signingKeys(),
  },
  adapter: new DemoStore().adapter,
})

function signingKeys(): JWKS {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] } as JWKS
}

type Kept = { payload: AdapterPayload; expiresAt: number }

/** A call of an adapter that one process makes and another answers. */
export type DemoCall = { readonly model: string; readonly method: keyof Adapter; readonly args: readonly unknown[] }

export const answerDemoCall = ({ adapter }: DemoProvider, { model, method, args }: DemoCall): Promise<unknown> =>
  (adapter(model)[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args)

/** An adapter whose calls another process answers. */
export function remoteAdapter(ask: (call: DemoCall) => Promise<unknown>): DemoProvider['adapter'] {
  const methods = ['upsert', 'find', 'findByUid', 'findByUserCode', 'consume', 'destroy', 'revokeByGrantId'] as const
  return (model) =>
    Object.fromEntries(
      methods.map((method) => [method, (...args: readonly unknown[]) => ask({ model, method, args })]),
    ) as unknown as Adapter
}

/** The demo provider keeps its sessions, codes and grants in memory. They are lost when the process ends. */
export class DemoStore {
  readonly #kept = new Map<string, Kept>()
  readonly #byUid = new Map<string, string>()
  readonly #byGrant = new Map<string, Set<string>>()

  adapter = (model: string): Adapter => ({
    upsert: async (id, payload, expiresIn) => {
      this.#sweep()
      const key = `${model}:${id}`
      this.#kept.set(key, { payload, expiresAt: Date.now() + (expiresIn || 3600) * 1000 })
      if (payload.uid) this.#byUid.set(`${model}:${payload.uid}`, id)
      if (payload.grantId)
        this.#byGrant.set(payload.grantId, (this.#byGrant.get(payload.grantId) ?? new Set()).add(key))
    },
    find: async (id) => this.#find(`${model}:${id}`),
    findByUid: async (uid) => this.#find(`${model}:${this.#byUid.get(`${model}:${uid}`)}`),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const kept = this.#kept.get(`${model}:${id}`)
      if (kept) kept.payload.consumed = Math.floor(Date.now() / 1000)
    },
    destroy: async (id) => {
      this.#kept.delete(`${model}:${id}`)
    },
    revokeByGrantId: async (grantId) => {
      for (const key of this.#byGrant.get(grantId) ?? []) this.#kept.delete(key)
      this.#byGrant.delete(grantId)
    },
  })

  #find(key: string): AdapterPayload | undefined {
    const kept = this.#kept.get(key)
    return kept && kept.expiresAt > Date.now() ? kept.payload : undefined
  }

  /** A demo that runs for weeks must not use more and more memory. */
  #sweep(): void {
    if (this.#kept.size < 10_000) return
    const now = Date.now()
    for (const [key, kept] of this.#kept) if (kept.expiresAt <= now) this.#kept.delete(key)
  }
}
