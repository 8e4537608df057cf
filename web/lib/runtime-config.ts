import type { RuntimeConfig } from '#contract/settings/runtime-config.ts'

let loaded: RuntimeConfig | undefined

/** Loaded once, before anything is shown: brand, addresses and environment. */
export async function loadRuntimeConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`config.json answered ${response.status}`)
  loaded = (await response.json()) as RuntimeConfig
  return loaded
}

export function runtimeConfig(): RuntimeConfig {
  if (!loaded) throw new Error('The runtime configuration is not loaded yet')
  return loaded
}
