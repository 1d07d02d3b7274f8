import { type Html, html, slugOf } from '../platform/foundation/html.ts'
import type { Steps } from '../platform/foundation/steps.ts'
import type { ApiDescription } from './openapi.ts'
import {
  type DescribedOperation,
  type Entry,
  methodBadge,
  operationSection,
} from './reference-page/operation-section.ts'
import { inline, prose } from './reference-page/prose.ts'
import { fieldRow, fieldTable, type SchemaNode, schemaTable } from './reference-page/schema-table.ts'
import { style } from './reference-page/style.ts'

interface Area {
  id: string
  name: string
  description: string
  entries: Entry[]
}

/** The reference for people: one page, no script, nothing from another host. */
export function* renderReference(description: ApiDescription): Steps<string> {
  const areas = areasOf(description)
  const sections: Html[] = []
  for (const area of areas) sections.push(yield* areaSection(area, description))
  const title = String(description.info.title)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} API reference</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<p class="brand"><a href="#content">${title}</a> <span>API reference</span></p>
<p><a href="/docs/guide">Guide</a> · <a href="/openapi.json">OpenAPI ${description.openapi}</a> · <a href="/asyncapi.json">AsyncAPI</a> · <a href="/postman.json">Postman</a></p>
</header>
<details class="contents">
<summary>Contents</summary>
<nav aria-label="Areas"><ul>
${guideLinks}
${areas.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}
</ul></nav>
</details>
<div class="frame">
<nav class="side" aria-label="Operations">
<h2>Guide</h2>
<ul>${guideLinks}</ul>
${areas.map(sideArea)}
</nav>
<main id="content" tabindex="-1">
${introduction(description)}
${sections}
</main>
</div>
</body>
</html>
`
  return page.html
}

const guide = { introduction: 'Introduction', authentication: 'Authentication', headers: 'Headers', errors: 'Errors' }
const guideLinks = Object.entries(guide).map(([id, name]) => html`<li><a href="#guide-${id}">${name}</a></li>`)

/** The operations by area, in the description's order; the events we send come last. */
function areasOf(description: ApiDescription): Area[] {
  const entries = entriesOf(description.paths)
  const areas = description.tags.map(({ name, description: text }) => ({
    id: `area-${slugOf(name)}`,
    name,
    description: text,
    entries: entries.filter(({ operation }) => operation.tags?.includes(name)),
  }))
  const sent = entriesOf(description.webhooks as ApiDescription['paths'])
  if (sent.length > 0) {
    areas.push({
      id: 'area-events-sent',
      name: 'Events that are sent',
      description: 'What a webhook endpoint receives.',
      entries: sent,
    })
  }
  return areas.filter(({ entries: own }) => own.length > 0)
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function entriesOf(paths: ApiDescription['paths']): Entry[] {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as unknown as DescribedOperation, // describeApi writes nothing else here
    })),
  )
  return entries.sort(
    (left, right) =>
      left.path.localeCompare(right.path) || methodOrder.indexOf(left.method) - methodOrder.indexOf(right.method),
  )
}

function sideArea({ id, name, entries }: Area): Html {
  return html`<h2><a href="#${id}">${name}</a></h2>
<ul>${entries.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}">${methodBadge(method)}<span>${operation.summary}</span></a></li>
`,
  )}</ul>
`
}

function* areaSection(area: Area, description: ApiDescription): Steps<Html> {
  const sections: Html[] = []
  for (const entry of area.entries) {
    sections.push(operationSection(entry, description))
    yield
  }
  return html`<section class="area" id="${area.id}" aria-labelledby="${area.id}-title">
<h2 id="${area.id}-title">${area.name}</h2>
<p>${inline(area.description)}</p>
<ul class="overview">${area.entries.map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}">${methodBadge(method)}<span><span class="summary">${operation.summary}</span> <code>${path}</code></span></a></li>
`,
  )}</ul>
${sections}
</section>
`
}

function introduction(description: ApiDescription): Html {
  const { info, components } = description
  const headers = Object.values(components.parameters) as {
    name: string
    description: string
    schema: SchemaNode
  }[] // describeApi writes nothing else here
  const server = String(description.servers[0]?.url ?? '')
  const [scheme] = Object.values(components.securitySchemes) as { description?: string }[] // the one there is
  return html`<section class="guide" aria-labelledby="guide-introduction">
<h1 id="guide-introduction">${String(info.title)} API</h1>
<p class="lead">${String(info.summary ?? '')}</p>
<dl class="facts"><div><dt>Address</dt><dd><code>${server}</code></dd></div><div><dt>Version</dt><dd>${String(info.version)}</dd></div></dl>
${prose(String(info.description ?? ''))}
<h2 id="guide-authentication">Authentication</h2>
<p>${inline(scheme?.description ?? '')} A higher role may do what a lower one may: viewer, editor, admin, superadmin.</p>
<figure><figcaption>Request</figcaption><pre><code>curl ${server}/v1/shops -u "$USERNAME:$API_KEY"</code></pre></figure>
<h2 id="guide-headers">Headers</h2>
${fieldTable(
  'Headers of a request',
  headers.map((header) =>
    fieldRow(html`${header.name}`, { ...header.schema, description: header.description }, components.schemas, []),
  ),
)}
<h2 id="guide-errors">Errors</h2>
<p>Every error has this body. <code>message</code> says what to do; programs should check <code>key</code>.</p>
${schemaTable((components.schemas.Error ?? {}) as SchemaNode, components.schemas, 'response')}
</section>
`
}
