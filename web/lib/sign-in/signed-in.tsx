import { createContext, type ReactNode, use, useMemo } from 'react'
import { type Actor, actor } from '#domain/access/standing.ts'
import type { CurrentUser } from '#web/lib/sign-in/current-user.ts'

type SignedIn = { user: CurrentUser; actor: Actor }

const Context = createContext<SignedIn | null>(null)

export function SignedInProvider({ user, children }: { user: CurrentUser; children: ReactNode }) {
  const signedIn = useMemo(() => ({ user, actor: actor(user.email, user.roles) }), [user])
  return <Context value={signedIn}>{children}</Context>
}

/** The signed-in person. Every screen is inside of the route guard, so there always is one. */
export function useSignedIn(): SignedIn {
  const signedIn = use(Context)
  if (!signedIn) throw new Error('useSignedIn is used outside of SignedInProvider')
  return signedIn
}
