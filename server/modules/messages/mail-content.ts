/** What a mail says, apart from how it looks. Texts are plain: the frame escapes them. */
export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [label: string, value: string])[] }
  | { readonly kind: 'action'; readonly text: string; readonly url: string }

export type MailContent = { readonly title: string; readonly blocks: readonly MailBlock[] }

export const paragraph = (text: string): MailBlock => ({ kind: 'paragraph', text })
export const facts = (...list: readonly (readonly [label: string, value: string])[]): MailBlock => ({
  kind: 'facts',
  facts: list,
})
export const action = (text: string, url: string): MailBlock => ({ kind: 'action', text, url })
