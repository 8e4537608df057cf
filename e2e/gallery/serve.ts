/** Builds and serves the gallery of the table for the journeys. No part of it is in the product. */
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, preview } from 'vite'

const config: InlineConfig = {
  configFile: false,
  root: import.meta.dirname,
  plugins: [react()],
  logLevel: 'warn',
  build: { outDir: '../../dist/gallery', emptyOutDir: true, chunkSizeWarningLimit: 5000 },
  preview: { host: '127.0.0.1', port: Number(process.env.GALLERY_PORT ?? 8191), strictPort: true },
}

await build(config)
await preview(config)
