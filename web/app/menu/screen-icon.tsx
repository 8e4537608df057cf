import {
  IconActivityHeartbeat,
  IconAddressBook,
  IconAppWindow,
  IconArrowsExchange,
  IconBan,
  IconBell,
  IconBellCog,
  IconBolt,
  IconCalendarStats,
  IconChartArrowsVertical,
  IconChartBar,
  IconCpu,
  IconFileCertificate,
  IconFileInvoice,
  IconHandStop,
  IconHistory,
  IconKey,
  IconListDetails,
  IconMail,
  IconPlugConnected,
  IconServer,
  IconServerCog,
  IconShieldLock,
  IconUsersGroup,
  IconWallet,
} from '@tabler/icons-react'
import type { ScreenPath } from '#web/app/screens/screens.ts'

const ICONS: Partial<Record<ScreenPath, typeof IconBolt>> = {
  ssl: IconFileCertificate,
  elastic: IconBolt,
  entitlementsFSA: IconWallet,
  activations: IconCpu,
  'activations-history': IconServerCog,
  'license-servers/:id': IconServer,
  'web-assignments': IconUsersGroup,
  f1202990: IconUsersGroup,
  'web-transactions': IconArrowsExchange,
  'web-reporting': IconChartBar,
  optimization: IconChartArrowsVertical,
  transactions: IconListDetails,
  statementv2: IconFileInvoice,
  'elastic-denials': IconBan,
  portalaccess: IconAddressBook,
  clscredentials: IconKey,
  whitelistips: IconShieldLock,
  tokens: IconPlugConnected,
  reminders: IconBellCog,
  planner: IconCalendarStats,
  requests: IconHandStop,
  'my-requests': IconHandStop,
  audit: IconHistory,
  emails: IconMail,
  notifications: IconBell,
  operations: IconActivityHeartbeat,
}

/** Decorative. Where it stands alone, its parent needs a label. */
export function ScreenIcon({ path }: { path: ScreenPath }) {
  const Icon = ICONS[path] ?? IconAppWindow
  return <Icon size={18} stroke={1.6} aria-hidden />
}
