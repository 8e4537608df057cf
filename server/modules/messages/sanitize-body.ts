import sanitizeHtml from 'sanitize-html'

const SAFE_VALUE = [/^(?!.*(?:url|expression|image-set|var|attr)\s*\()[\w\s#%.,()"'/+-]{1,200}$/i]

/** Styles of the look and position within the body; none that covers other content or loads anything. */
const STYLES = [
  ...[
    'color',
    'background-color',
    'background',
    'opacity',
    'text-decoration',
    'text-align',
    'text-transform',
    'vertical-align',
  ],
  ...[
    'font',
    'font-family',
    'font-size',
    'font-style',
    'font-weight',
    'line-height',
    'letter-spacing',
    'white-space',
    'word-break',
  ],
  ...['width', 'min-width', 'max-width', 'height', 'min-height', 'max-height', 'display'],
  ...['margin', 'margin-top', 'margin-right', 'margin-bottom', 'margin-left'],
  ...['padding', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left'],
  ...[
    'border',
    'border-top',
    'border-right',
    'border-bottom',
    'border-left',
    'border-color',
    'border-style',
    'border-width',
  ],
  ...['border-radius', 'border-collapse', 'border-spacing', 'list-style', 'list-style-type', 'table-layout'],
]

const LAYOUT = ['style', 'align', 'valign', 'width', 'height', 'bgcolor', 'dir', 'lang', 'title', 'role']
const TABLE = ['border', 'cellpadding', 'cellspacing', 'colspan', 'rowspan', 'nowrap']

/**
 * The HTML of a mail from any sender, without anything that runs, loads, submits or misleads. It is shown in a frame
 * whose policy forbids the same: sanitizer and policy each suffice alone.
 */
export function sanitizeBody(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [
      ...['address', 'article', 'aside', 'footer', 'header', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'main', 'section'],
      ...['blockquote', 'center', 'dd', 'div', 'dl', 'dt', 'figcaption', 'figure', 'hr', 'li', 'ol', 'p', 'pre', 'ul'],
      ...['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'br', 'cite', 'code', 'del', 'em', 'font', 'i', 'ins', 'kbd', 'mark'],
      ...['q', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr', 'img'],
      ...['caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
    ],
    allowedAttributes: {
      '*': LAYOUT,
      a: ['href', 'target', 'rel'],
      img: ['src', 'alt'],
      font: ['color', 'face', 'size'],
      table: TABLE,
      td: TABLE,
      th: [...TABLE, 'scope'],
      col: ['span'],
      colgroup: ['span'],
      ol: ['start', 'type'],
      time: ['datetime'],
    },
    allowedStyles: { '*': Object.fromEntries(STYLES.map((property) => [property, SAFE_VALUE])) },
    allowedSchemes: ['http', 'https', 'mailto'],
    // A remote picture tells its sender who reads the mail and when: only embedded ones are shown.
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    // Elements that are removed with their content; other unknown elements keep their text.
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'title',
      'svg',
      'math',
      'template',
      'xmp',
      'iframe',
      'object',
      'noembed',
      'noframes',
      'plaintext',
      'select',
    ],
    transformTags: {
      a: sanitizeHtml.simpleTransform('a', { target: '_blank', rel: 'noopener noreferrer nofollow' }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isPicture(attribs.src ?? ''),
  })
}

/** An SVG is a document that can run scripts, not just a picture. */
function isPicture(source: string): boolean {
  return /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);base64,[A-Za-z0-9+/=\s]+$/i.test(source)
}
