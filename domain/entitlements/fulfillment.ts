export const HOST_ID_TYPES = ['ETHERNET', 'DISK_SERIAL_NUM', 'FLEXID'] as const
export type HostIdType = (typeof HOST_ID_TYPES)[number]

/** What somebody was doing when seats were activated or returned. */
export type FulfillmentAction = 'EDIT' | 'REHOST' | 'DEACTIVATE'
