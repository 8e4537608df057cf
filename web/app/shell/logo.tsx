import { PortalLink } from '#web/lib/address/portal-link.tsx'
import { runtimeConfig } from '#web/lib/runtime-config.ts'
import classes from './toolbar.module.css'

/** The logo of the brand, or a default mark in the color of the brand. */
export function Logo({ onFollow }: { onFollow?: () => void }) {
  const { name, logoUrl } = runtimeConfig().brand
  return (
    <PortalLink to="/home" className={classes.logo} onClick={onFollow}>
      {logoUrl ? <img src={logoUrl} alt="" height={24} /> : <Mark />}
      <span className={classes.brand}>{name}</span>
    </PortalLink>
  )
}

function Mark() {
  return (
    <svg width={24} height={24} viewBox="0 0 32 32" aria-hidden className={classes.mark}>
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <path d="M11 9v14h10" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
      <circle cx="20" cy="12" r="3" fill="#fff" />
    </svg>
  )
}
