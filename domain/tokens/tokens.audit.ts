import { named, plain, type WordsByAction } from '#domain/audit/words.ts'

export const TOKENS_WORDS: WordsByAction = {
  'tokens/create': named('Made the token', 'make a token', 'after'),
  'tokens/roll': named('Rolled the token', 'roll a token', 'after'),
  'tokens/revoke': named('Revoked the token', 'revoke a token', 'before'),
  'tokens/policy/save': plain('Changed the rules for tokens', 'change the rules for tokens'),
}
