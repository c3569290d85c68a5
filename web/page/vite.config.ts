import { svelte } from '@sveltejs/vite-plugin-svelte'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vite'
import { oneFile } from './build/one-file'
import { servedEngine } from './build/served-engine'

/** Where Maven puts the compiled engine and its data. */
const engine = resolve(process.env.HABEMUS_ENGINE ?? '../target/engine')

/** The folder page/ goes there, and lab.html. */
const out = resolve(process.env.HABEMUS_OUT ?? '../target')

/** `vite build` writes a folder to serve; `vite build --mode file` writes one self-contained file, lab.html. */
export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [svelte(), mode === 'file' ? oneFile(engine, join(out, 'packed')) : servedEngine(engine)],
  build: {
    outDir: mode === 'file' ? out : join(out, 'page'),
    target: 'es2022',
    modulePreload: false,
    emptyOutDir: mode !== 'file',
    cssCodeSplit: mode !== 'file',
    rollupOptions: mode === 'file' ? { output: { format: 'iife', inlineDynamicImports: true } } : {},
  },
  worker: { format: 'iife' },
}))
