import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'
import { replaceSearch } from '#web/lib/replace-search.ts'

/** Does once what a parameter of the address asks for, for example adding a row to a form, and removes the parameter. */
export function useAddressRequest(name: string, onRequest: (value: string) => void): void {
  const { key } = useLocation()
  const handle = useEffectEvent(onRequest)
  // Every navigation can ask again.
  useEffect(() => {
    const params = new URLSearchParams(window.location.search)
    const value = params.get(name)
    if (value === null) return
    params.delete(name)
    replaceSearch(() => (params.size > 0 ? `?${params}` : ''))
    handle(value)
  }, [key, name])
}
