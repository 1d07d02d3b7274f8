// @ts-check
// Runs a TypeScript file as the product runs its own: as it is where Node can, through tsx where it cannot.
import { pathToFileURL } from 'node:url'

if (!('typescript' in process.features)) {
  const loader = 'tsx'
  await import(loader)
}
await import(pathToFileURL(process.argv[2] ?? '').href)
