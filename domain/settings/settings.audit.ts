import {
  act,
  difference,
  elements,
  field,
  isObject,
  plain,
  some,
  text,
  texts,
  type Words,
  type WordsByAction,
} from '#domain/audit/words.ts'

/** A named view of a table. */
const view = (did: string, what: string): Words => ({
  what: `${what} a view of a table`,
  done({ before, after }) {
    const saved = isObject(after) ? after : before
    const name = `"${text(field(saved, 'name'))}"`
    const owned = field(saved, 'isShared') ? `shared view ${name} of ${text(field(saved, 'owner'))}` : `view ${name}`
    return `${did} the ${owned} (${text(field(saved, 'tableName'))})`
  },
})

const rolesIn = (contacts: unknown) =>
  new Map(elements(contacts).map((one) => [text(field(one, 'email')), text(field(one, 'role'))]))

export const SETTINGS_WORDS: WordsByAction = {
  'viewas/start': act('Began to view the portal', 'view the portal as a contact', 'as'),
  'viewas/stop': act('Stopped viewing the portal', 'stop viewing the portal as a contact', 'as'),
  setFeatures: {
    what: 'change feature flags',
    done: ({ before, after }) => `Changed the feature flags${difference(texts(before), texts(after))}`,
  },
  savePreferences: act('Saved the columns and filters', 'save columns and filters'),
  'tableviews/add': view('Saved', 'save'),
  'tableviews/change': view('Changed', 'change'),
  'tableviews/remove': view('Deleted', 'delete'),
  setportalaccess: {
    what: 'change who has access',
    done: ({ before, after }) => {
      const [were, are] = [rolesIn(before), rolesIn(after)]
      const changed = [...are].filter(([who, is]) => were.has(who) && were.get(who) !== is).map(([who]) => who)
      const roles = changed.length > 0 ? `, changed the role of ${some(changed)}` : ''
      return `Changed who has access${difference([...were.keys()], [...are.keys()])}${roles}`
    },
  },
  setaccountswitches: plain('Changed the switches of the account', 'change the switches of the account'),
}
