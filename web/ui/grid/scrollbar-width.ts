let measured: number | undefined

/** What a vertical scrollbar takes from the width: nothing where scrollbars lie over the content. */
export function scrollbarWidth(): number {
  if (measured !== undefined) return measured
  const probe = document.createElement('div')
  probe.style.cssText = 'position: absolute; visibility: hidden; width: 100px; overflow-y: scroll'
  document.body.append(probe)
  measured = probe.offsetWidth - probe.clientWidth
  probe.remove()
  return measured
}
