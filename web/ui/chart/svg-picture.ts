/** Styles that a chart takes from its page, and that its copy has to carry along. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-dasharray',
  'stroke-opacity',
  'stroke-width',
  'font-family',
  'font-size',
  'font-weight',
] as const
/** Sharp also on dense screens and in print. */
const SCALE = 2

/** Around the drawing, in pixels: labels are wider in the font that a picture gets than in the one of the page. */
const MARGIN = 20
const TITLE_HEIGHT = 28

/** A PNG of the first SVG drawing in an element, with a title, in the colors that it is shown in. */
export async function pictureOf(within: Element | null, title: string): Promise<Blob> {
  const drawing = within?.querySelector('svg')
  if (!drawing) throw new Error('The chart is not drawn yet.')
  const box = drawing.getBoundingClientRect()
  const [width, height] = [box.width + 2 * MARGIN, box.height + 2 * MARGIN]
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(sourceOf(drawing, width, height))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = (height + TITLE_HEIGHT) * SCALE
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot create images.')
  const page = getComputedStyle(document.body)
  context.scale(SCALE, SCALE)
  context.fillStyle = page.backgroundColor
  context.fillRect(0, 0, width, height + TITLE_HEIGHT)
  context.fillStyle = page.color
  context.font = `600 14px ${page.fontFamily}`
  context.fillText(title, MARGIN, MARGIN + 10)
  context.drawImage(image, 0, TITLE_HEIGHT, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The image is too large.'))))
  })
}

/** The drawing on its own, without the style sheets of the page. */
function sourceOf(drawing: SVGElement, width: number, height: number): string {
  const copy = drawing.cloneNode(true) as SVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('viewBox', `${-MARGIN} ${-MARGIN} ${width} ${height}`)
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.removeAttribute('style')
  const copies = copy.querySelectorAll<SVGElement>('*')
  for (const [index, original] of drawing.querySelectorAll('*').entries()) {
    const computed = getComputedStyle(original)
    for (const style of STYLES) copies[index]?.style.setProperty(style, computed.getPropertyValue(style))
  }
  return new XMLSerializer().serializeToString(copy)
}
