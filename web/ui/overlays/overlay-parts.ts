import { Drawer, Menu, Modal, Popover, Tooltip } from '@mantine/core'

/** What opens above the page, with all that computes positions and keeps the focus: a fifth of the script of a screen. */
export const OVERLAY_PARTS = { Drawer, Menu, Modal, Popover, Tooltip }
