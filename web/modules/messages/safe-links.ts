import type { AlertLink } from '#domain/messages/alerts.ts'

const WEB = new Set(['https:', 'http:'])

/** Only addresses of the web: whatever else an alert may hold must not run on a click. */
export function safeLinks(links: readonly AlertLink[]): AlertLink[] {
  return links.filter(({ url }) => WEB.has(URL.parse(url)?.protocol ?? ''))
}
