import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { replaceSearch } from '#web/lib/address/replace-search.ts'
import { isNewRequest } from '#web/lib/kept/unsaved-changes.ts'

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

/** Differs after every navigation that asks for something to edit: what was edited before it is dropped. */
export function useRequestKey(parameters: readonly string[]): string {
  const { key, search } = useLocation()
  const action = useNavigationType()
  const [last, setLast] = useState({ key, search, requestKey: key })
  if (last.key === key) return last.requestKey
  const isNew = isNewRequest({ here: last.search, there: search, action }, parameters)
  const requestKey = isNew ? key : last.requestKey
  setLast({ key, search, requestKey })
  return requestKey
}
