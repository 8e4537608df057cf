import { expect, test } from 'vitest'
import { parseMarkdown } from '#web/app/guide/guide-markdown.ts'

const text = (words: string) => ({ kind: 'text', text: words })

test('Markdown becomes headings, paragraphs and lists', () => {
  expect(parseMarkdown('# Home\n\nTwo lines\nof text.\n\n- one\n- two\n  goes on\n\n1. first\n2. second\n')).toEqual([
    { kind: 'heading', level: 1, text: [text('Home')] },
    { kind: 'paragraph', text: [text('Two lines of text.')] },
    { kind: 'list', isNumbered: false, items: [[text('one')], [text('two goes on')]] },
    { kind: 'list', isNumbered: true, items: [[text('first')], [text('second')]] },
  ])
})

test('bold, code and links are marked, and pictures are left out', () => {
  expect(parseMarkdown('Press **Save**, `?` or [Home](home.md).\n\n![A picture](pictures/home)')).toEqual([
    {
      kind: 'paragraph',
      text: [
        text('Press '),
        { kind: 'bold', text: 'Save' },
        text(', '),
        { kind: 'code', text: '?' },
        text(' or '),
        { kind: 'link', text: 'Home', to: 'home.md' },
        text('.'),
      ],
    },
  ])
})

test('HTML is plain text', () => {
  expect(parseMarkdown('<img src=x onerror=alert(1)>')).toEqual([
    { kind: 'paragraph', text: [text('<img src=x onerror=alert(1)>')] },
  ])
})
