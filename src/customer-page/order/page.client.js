// @ts-nocheck: it runs in browsers, whose types the service has no use for
;(() => {
  const main = document.getElementById('main')
  const announcement = document.getElementById('announcement')
  let source
  let later

  const watch = () => {
    const { watch: address, state } = main.dataset
    clearTimeout(later)
    source?.close()
    if (!address || !window.EventSource || document.hidden) return
    source = new EventSource(`${address}${address.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`)
    source.addEventListener('change', renew)
    source.addEventListener('error', () => source.readyState === EventSource.CLOSED && comeBack(address))
  }

  // The browser gives up a stream that was rejected. The reason is in the head: usually that too many pages are open.
  const comeBack = async (address) => {
    const response = await fetch(address, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
    if (response?.status === 404) return
    const seconds = Number(response?.headers.get('retry-after')) || 60
    // Spread, so that not all pages come at once.
    later = setTimeout(() => renew().finally(watch), seconds * 1000 * (1 + Math.random() / 4))
  }

  const nameOf = (element) => element.id || element.getAttribute('href') || element.textContent

  // Replaces the main part, and keeps the scroll position and opened details.
  const renew = async () => {
    const response = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
    if (!response?.ok) return
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.getElementById('main')
    if (!next || next.dataset.state === main.dataset.state) return
    const { activeElement } = document
    const focused = activeElement !== main && main.contains(activeElement) ? nameOf(activeElement) : undefined
    const folds = new Map([...main.querySelectorAll('details[id]')].map((fold) => [fold.id, fold.open]))
    main.replaceChildren(...next.childNodes)
    main.dataset.state = next.dataset.state
    document.title = page.title
    for (const [id, isOpen] of folds) {
      const fold = document.getElementById(id)
      if (fold) fold.open = isOpen
    }
    if (focused !== undefined) {
      const again = [...main.querySelectorAll('a, summary, button')].find((element) => nameOf(element) === focused)
      const target = again ?? main
      target.focus({ preventScroll: true })
    }
    announcement.textContent = `${main.dataset.announcement} ${main.querySelector('h1')?.textContent ?? ''}`
    watch()
  }

  // A hidden page closes its stream, and catches up when it becomes visible.
  document.addEventListener('visibilitychange', () => {
    clearTimeout(later)
    if (document.hidden) source?.close()
    else renew().finally(watch)
  })
  addEventListener('pagehide', () => {
    clearTimeout(later)
    source?.close()
  })
  addEventListener('pageshow', (event) => event.persisted && renew().finally(watch))

  const menu = document.querySelector('.languages details')
  document.addEventListener('click', (event) => menu.contains(event.target) || menu.removeAttribute('open'))
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    menu.removeAttribute('open')
    menu.querySelector('summary').focus()
  })
  watch()
})()
