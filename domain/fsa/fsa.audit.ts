import { counted, download, elements, field, named, some, text, type WordsByAction } from '#domain/audit/words.ts'

export const FSA_WORDS: WordsByAction = {
  entitlements: {
    what: 'order from a spending account',
    done: ({ target, after }) => {
      const lines = elements(field(after, 'lines'))
      const products = lines.map((line) => text(field(line, 'product')) || text(field(line, 'partNumber')))
      return `Ordered ${some(products.filter((name) => name !== '')) || counted(lines.length, 'product')} from the spending account ${target}`
    },
  },
  'fsa/history/export': download('the order history'),
  'fsa/drafts/save': named('Saved the draft order', 'save a draft order', 'after'),
  'fsa/drafts/delete': named('Deleted the draft order', 'delete a draft order', 'before'),
  'fsa/drafts/quote': download('a quote'),
  'fsa/drafts/quote/pdf': download('a quote'),
}
