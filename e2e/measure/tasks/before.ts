import type { Device, Measured } from '#e2e/measure/tasks/hand.ts'

/** The tasks on the screens of commit 98ee49f3, by name. */
export const BEFORE: Readonly<Record<string, Readonly<Record<Device, Measured>>>> = {
  '1. Activate 5 seats on a new triad, download the file': {
    mouse: { clicks: 15, keys: 53, groups: 14, seconds: 11.4 },
    keyboard: { clicks: 0, keys: 161, groups: 14, seconds: 8.3 },
  },
  '2. Rehost a server with one product held back': {
    mouse: { clicks: 7, keys: 19, groups: 8, seconds: 6.9 },
    keyboard: { clicks: 0, keys: 69, groups: 8, seconds: 6.3 },
  },
  '3. Renew what ends within 30 days on all servers': {
    mouse: { clicks: 10, keys: 0, groups: 10, seconds: 6.4 },
    keyboard: { clicks: 0, keys: 59, groups: 10, seconds: 6.7 },
  },
  '4. Order from the spending account, activate the order': {
    mouse: { clicks: 8, keys: 0, groups: 7, seconds: 8.3 },
    keyboard: { clicks: 0, keys: 64, groups: 7, seconds: 6.4 },
  },
  '5. Find out why a user was denied yesterday, unblock him': {
    mouse: { clicks: 6, keys: 12, groups: 6, seconds: 1.2 },
    keyboard: { clicks: 0, keys: 42, groups: 6, seconds: 2.5 },
  },
  '6. Last month’s usage of a project as PDF and CSV': {
    mouse: { clicks: 4, keys: 12, groups: 4, seconds: 3.8 },
    keyboard: { clicks: 0, keys: 61, groups: 4, seconds: 5.3 },
  },
  '7. Give a colleague view access, take it away': {
    mouse: { clicks: 7, keys: 30, groups: 7, seconds: 1.6 },
    keyboard: { clicks: 0, keys: 78, groups: 7, seconds: 2.4 },
  },
}

export const BEFORE_NOTE = `Before: seconds are the shortest of two to four runs of each task, on a machine that others used, too, with and without the warm-up; counts were the same in all of them. Seconds of a single later run are therefore no fair comparison: measure both in turns on a quiet machine. Task 3: the renewal offers what ends within 90 days, so that everything that ends later than in 30 days is unticked one by one. Task 5: from the number of denials on Home to the row with the reason, to Elastic Credentials, a line in the list of usernames. Task 6: there is no PDF of one project; the PDF has the whole account, the CSV file is the chargeback of the project.`

export const AFTER_NOTE =
  'After: one run of each task. Task 1: host names and ids are pasted as three lines, which fill in the triad; the list of products is open then, and the number of seats is typed beside it. Task 2: the row has a button for the rehost, name and id are pasted, and one button leaves what is held back and moves the rest. Task 3: the line of the work list is about 30 days, and so is the renewal that it opens. Task 4: the balance on Home has a button for the order, the list of products is open then, and the activation is ready to be confirmed on the license server that was used last. Task 5: a line of the work list on Home says why, and its button unblocks the user. Task 6: the report for finance starts on Home with last month; both files have only the project. Task 7: a new contact is a viewer.'
