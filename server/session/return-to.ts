/** After sign-in people go back to a place inside the portal, or home; never to another site. */
export function safeReturnTo(wanted: string | undefined, origin: string): string {
  if (!wanted || wanted.length > 2000 || !/^\/[^/\\\p{Cc}][^\\\p{Cc}]*$/u.test(wanted)) return '/home'
  if (!URL.canParse(wanted, origin)) return '/home'
  const url = new URL(wanted, origin)
  // Without its dots, /..//evil.example is a place on another site.
  if (url.origin !== origin || url.pathname.startsWith('//') || /^\/(auth|api|demo-idp)(\/|$)/.test(url.pathname))
    return '/home'
  return url.pathname + url.search + url.hash
}
