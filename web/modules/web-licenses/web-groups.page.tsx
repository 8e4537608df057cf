import { AssignmentTabs } from '#web/modules/web-licenses/assignment-tabs.tsx'

/** Web licenses by groups, users and entitlements. */
export const Page = () => <AssignmentTabs tabs={['groups', 'users', 'entitlements']} />
