// @ts-check
// Runs a TypeScript file as the product does: directly if Node supports it, otherwise through tsx.
import { pathToFileURL } from 'node:url'

if (!('typescript' in process.features)) {
  const loader = 'tsx'
  await import(loader)
}
await import(pathToFileURL(process.argv[2] ?? '').href)
