import { type Html, html } from '../../platform/foundation/html.ts'
import type { BundleParts } from './bundle.ts'
import { preloadsFor, type Visit } from './preloads.ts'

/** The path of the dashboard's files; no shop has this slug. */
export const filesPath = '/dashboard/-'

/** The one page of the dashboard: scripts and styles by reference, because its policy allows no others. */
export function renderShell(parts: BundleParts, visit: Visit): Html {
  const { entry, early, style, icon } = parts
  const links = [
    // First, although it blocks nothing: nobody waits later for a call that it makes now.
    early && visit.hasSession && html`<script async fetchpriority="high" src="${filesPath}/${early}"></script>`,
    style && html`<link rel="stylesheet" href="${filesPath}/${style}">`,
    html`<script type="module" src="${filesPath}/${entry}"></script>`,
    ...preloadsFor(parts, visit).map((name) => html`<link rel="modulepreload" href="${filesPath}/${name}">`),
    icon && html`<link rel="icon" href="${filesPath}/${icon}" type="image/svg+xml">`,
  ].filter((link) => link !== undefined && link !== '' && link !== false)
  return document(
    links.map((link) => html`${link}\n`),
    html`<div id="dashboard"></div>
<noscript>
<p>The dashboard needs JavaScript. Allow it for this address, and load the page again.</p>
<p lang="de">Das Dashboard braucht JavaScript. Erlauben Sie es für diese Adresse und laden Sie die Seite neu.</p>
</noscript>`,
    visit.language,
  )
}

export function renderFailed(): Html {
  return document(
    [],
    html`<main>
<h1>The dashboard could not be built</h1>
<p>The API and the tracking pages work. The log of the service says what went wrong; after it is fixed, start the service again.</p>
</main>`,
  )
}

function document(head: Html[], body: Html, language = 'en'): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Doorstep</title>
${head}</head>
<body>
${body}
</body>
</html>
`
}
