export const HOST_ID_TYPES = ['ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID'] as const
export type HostIdType = (typeof HOST_ID_TYPES)[number]

/** What somebody was doing when seats were activated or returned. */
export const FULFILLMENT_ACTIONS = ['EDIT', 'REHOST', 'DEACTIVATE'] as const
export type FulfillmentAction = (typeof FULFILLMENT_ACTIONS)[number]
