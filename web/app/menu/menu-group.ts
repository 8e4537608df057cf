export type MenuGroup =
  | 'Entitlements'
  | 'Activations'
  | 'Web'
  | 'Elastic Reporting'
  | 'Settings'
  | 'Messages'
  | 'Administration'
