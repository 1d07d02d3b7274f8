import { type Html, html } from '../../platform/foundation/html.ts'
import { contents, frontPage, guidePath, pathOf } from './contents.ts'
import type { GuidePage } from './page.ts'
import { renderMarkdown } from './render.ts'

/** A whole page: navigation, search, the text, and the pages before and after it. */
export function renderLayout(page: GuidePage, pages: readonly GuidePage[]): Html {
  // Not if it says that there is no such page.
  const isListed = pages.includes(page)
  const isFront = page.name === frontPage
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.summary}">
<title>${isFront ? 'Doorstep guide' : `${page.title} – Doorstep guide`}</title>
<link rel="icon" href="${guidePath}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${guidePath}/guide.css">
${isListed ? html`<link rel="alternate" type="text/markdown" href="${guidePath}/${page.name}.md">` : undefined}
<script type="module" src="${guidePath}/guide.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<p class="brand"><a href="${guidePath}">Doorstep</a> <span>Guide</span></p>
<div class="search" role="search" hidden>
<label class="unseen" for="search">Search the guide</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" aria-keyshortcuts="/">
<ul id="found" role="listbox" aria-label="Results" hidden></ul>
<p class="unseen" id="found-count" role="status"></p>
</div>
<p class="links"><a href="/docs">API reference</a></p>
</header>
<details class="contents">
<summary>Contents</summary>
<nav aria-label="Pages">${navigation(page, pages, 'p')}</nav>
</details>
<div class="frame">
<nav class="side" aria-label="Guide">${navigation(page, pages, 'h2')}</nav>
<main id="content" tabindex="-1">
<article>
${renderMarkdown(page)}
</article>
${isListed ? pageEnd(page, pages) : undefined}
</main>
</div>
</body>
</html>
`
}

function navigation(current: GuidePage, pages: readonly GuidePage[], titleElement: 'p' | 'h2'): Html[] {
  const byName = new Map(pages.map((page) => [page.name, page]))
  return contents.map(({ title, pages: names }) => {
    const own = names.map((name) => byName.get(name)).filter((page) => page !== undefined)
    const heading = titleElement === 'h2' ? html`<h2>${title}</h2>` : html`<p class="subject">${title}</p>`
    return html`${heading}
<ul>${own.map((page) => html`<li>${pageLink(page, current)}${page === current ? sectionLinks(page) : undefined}</li>\n`)}</ul>
`
  })
}

function pageLink(page: GuidePage, current: GuidePage): Html {
  const mark = page === current ? html` aria-current="page"` : undefined
  return html`<a href="${pathOf(page.name)}"${mark}>${page.title}</a>`
}

function sectionLinks({ sections }: GuidePage): Html | undefined {
  const main = sections.filter(({ depth }) => depth === 2)
  if (main.length < 2) return undefined
  return html`<ul class="sections">${main.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ul>`
}

function pageEnd(page: GuidePage, pages: readonly GuidePage[]): Html {
  const position = pages.indexOf(page)
  return html`<footer class="page-end">
${neighbours(pages[position - 1], pages[position + 1])}
<p><a href="${guidePath}/${page.name}.md">This page as Markdown</a></p>
</footer>`
}

function neighbours(before: GuidePage | undefined, after: GuidePage | undefined): Html {
  const link = (page: GuidePage, relation: 'prev' | 'next', word: string) =>
    html`<a class="${relation}" rel="${relation}" href="${pathOf(page.name)}"><span>${word}</span> ${page.title}</a>`
  return html`<nav class="neighbours" aria-label="Next and previous page">${before ? link(before, 'prev', 'Previous') : undefined}${after ? link(after, 'next', 'Next') : undefined}</nav>`
}
