import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const api = process.env.PORTAL_API ?? 'http://127.0.0.1:8080'

/** Code that is used by at least this many screens and dialogs goes into one common file. */
const COMMON_FROM = 10
const FORM = /\/(?:web\/form|@mantine\/form)\/|@mantine\/core\/.*\/(?:Radio|Switch)\//
/** What opens above the page: see web/ui/overlays/overlay-parts.ts. */
const OVERLAYS =
  /@floating-ui|remove-scroll|@mantine\/core\/.*\/(?:Combobox|Drawer|FocusTrap|Floating|Menu|Modal|ModalBase|Overlay|Popover|Portal|ScrollArea|Select|Tooltip)\//
/** Small parts of the library that fields share with what opens above the page: without them, a field would load all of that. */
const SMALL_PARTS = /@mantine\/core\/.*\/(?:create-scoped-keydown-handler|get-style-object|RadioIcon|to-int)\.mjs/
/** Other shared code comes only to the screens that need it, unless it is this small, in bytes: more files, but less script. */
const BY_SCREEN = { entriesAware: true, entriesAwareMergeThreshold: 1000 }

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 5)

/** Nothing behind a style sheet is painted before it has arrived, so it comes after the frame in index.html. */
const styleSheetAfterFrame: Plugin = {
  name: 'style-sheet-after-frame',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const sheet = /<link rel="stylesheet"[^>]*>/.exec(html)?.[0] ?? ''
      return html.replace(sheet, '').replace('<noscript>', () => `${sheet}\n    <noscript>`)
    },
  },
}

export default defineConfig(({ command }) => ({
  root: 'web',
  plugins: [react(), styleSheetAfterFrame],
  resolve: {
    alias: [{ find: /^typebox$/, replacement: fileURLToPath(import.meta.resolve('#web/lib/api/no-schemas.ts')) }],
  },
  // The server replaces this word with a fresh nonce in every answer. Vite's dev server does not.
  ...(command === 'build' ? { html: { cspNonce: '__CSP_NONCE__' } } : {}),
  // Vite's own names end in the number of a line: no two are alike, which compresses badly.
  css: {
    modules: { generateScopedName: (name, file) => `${name}_${shortHash(file.replace(import.meta.dirname, ''))}` },
  },
  server: {
    host: '127.0.0.1',
    // As an object: for a plain address Vite would put the API's own host in place of the one that PUBLIC_URL names.
    proxy: Object.fromEntries(
      ['/api', '/auth', '/demo-idp', '/config.json', '/accessibility'].map((path) => [path, { target: api }]),
    ),
  },
  build: {
    outDir: process.env.PORTAL_WEB_OUT ?? '../dist/web',
    emptyOutDir: true,
    // Inlined assets would be data: addresses, which the content security policy keeps to images and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Screens load no style sheet of their own: if one failed to load, it would be missing until a reload.
    cssCodeSplit: false,
    // In kB: the shell is one file by choice, because two do not compress as well. A test limits what a screen loads.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // Browsers call operations by name, so their declarations are left out wherever nothing else is read of them.
      treeshake: { manualPureFunctions: ['operation', 'Type', 'requestFields', 'exportBody', 'operationsOf'] },
      output: {
        // Few files instead of many small ones: every file costs the browser a request and a task.
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 4 },
            // What most screens need is one file. Forms are on many of them, but not on those with large tables.
            {
              name: 'common-libraries',
              test: (id) => /node_modules/.test(id) && !FORM.test(id) && !OVERLAYS.test(id),
              minShareCount: COMMON_FROM,
              priority: 3,
            },
            { name: 'small-parts', test: SMALL_PARTS, priority: 3 },
            // Loaded when the first screen is drawn, or earlier by screens with fields that open a list.
            { name: 'overlays', test: OVERLAYS, priority: 2 },
            { name: 'common', test: (id) => !FORM.test(id), minShareCount: COMMON_FROM, priority: 1 },
            // Files that import each other in a circle run in the wrong order. Libraries import nothing of ours, so
            // they are in no circle.
            { name: 'libraries', test: /node_modules/, minShareCount: 2, priority: 1, ...BY_SCREEN },
            { name: 'shared', minShareCount: 2, ...BY_SCREEN },
          ],
        },
        // The names of shared parts list everyone who shares them.
        // The sign-in page of the server has this font as well, and does not know the name of a build.
        assetFileNames: ({ names }) =>
          names.includes('inter-latin-wght-normal.woff2') ? 'assets/inter.woff2' : 'assets/[name]-[hash][extname]',
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
  },
}))
