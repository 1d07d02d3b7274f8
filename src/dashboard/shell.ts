import { type Html, html } from '../foundation/html.ts'
import { type BundleParts, loadedWith } from './bundle.ts'

/** Where the files of the dashboard are; no shop has this slug. */
export const filesPath = '/dashboard/-'

/** The one page of the dashboard: scripts and styles by reference, because its policy allows no others. */
export function renderShell({ entry, style, icon, scripts }: BundleParts): Html {
  const preloads = loadedWith(entry, scripts).filter((name) => name !== entry)
  return document(
    html`${style ? html`<link rel="stylesheet" href="${filesPath}/${style}">\n` : undefined}${
      icon ? html`<link rel="icon" href="${filesPath}/${icon}" type="image/svg+xml">\n` : undefined
    }${preloads.map((name) => html`<link rel="modulepreload" href="${filesPath}/${name}">\n`)}<script type="module" src="${filesPath}/${entry}"></script>
`,
    html`<div id="dashboard"></div>
<noscript>
<p>The dashboard needs JavaScript. Allow it for this address, and load the page again.</p>
<p lang="de">Das Dashboard braucht JavaScript. Erlauben Sie es für diese Adresse und laden Sie die Seite neu.</p>
</noscript>`,
  )
}

/** Shown while the bundle is being made, at the first start from a checkout. It loads itself again. */
export function renderOpening(): Html {
  return document(
    html`<meta http-equiv="refresh" content="2">\n`,
    html`<main>
<h1>The dashboard is being built</h1>
<p>This happens once after an update and takes a few seconds. The page opens by itself.</p>
</main>`,
  )
}

export function renderFailed(): Html {
  return document(
    html``,
    html`<main>
<h1>The dashboard could not be built</h1>
<p>The API and the tracking pages work. The log of the service says what went wrong; after it is fixed, start the service again.</p>
</main>`,
  )
}

function document(head: Html, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
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
