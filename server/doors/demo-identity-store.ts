import type { Adapter, AdapterPayload } from 'oidc-provider'

type Kept = { payload: AdapterPayload; expiresAt: number }

/** Where the demo provider keeps its sessions, codes and grants: this process's memory, gone with it. */
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

  endSession(id: string): void {
    this.#kept.delete(`Session:${id}`)
  }

  #find(key: string): AdapterPayload | undefined {
    const kept = this.#kept.get(key)
    return kept && kept.expiresAt > Date.now() ? kept.payload : undefined
  }

  /** A demo left running for weeks must not grow for ever. */
  #sweep(): void {
    if (this.#kept.size < 10_000) return
    const now = Date.now()
    for (const [key, kept] of this.#kept) if (kept.expiresAt <= now) this.#kept.delete(key)
  }
}
