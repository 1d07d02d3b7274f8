import { useEffect, useRef, useState } from 'react'
import { t } from '../../../texts/texts.ts'

interface MailFrameProps {
  slug: string
  html: string | undefined
  width: 'phone' | 'desktop'
}

/** How wide the window of a mail program is, in pixels. */
const widths = { phone: 360, desktop: 680 }

/**
 * A message in a frame. Scripts stay off and nothing can be followed. The frame is an empty page of our own, whose policy
 * allows the styles that messages have inside and this page does not. A message that is wider than the place for it is scaled.
 */
export function MailFrame({ slug, html, width }: MailFrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (isLoaded && html !== undefined && page) draw(page, html)
  }, [isLoaded, html])
  useEffect(() => {
    const place = box.current
    if (!place) return
    const fit = () => {
      place.style.setProperty('--frame-width', `${widths[width]}px`)
      place.style.setProperty('--frame-scale', String(Math.min(1, place.clientWidth / widths[width])))
    }
    const observer = new ResizeObserver(fit)
    observer.observe(place)
    fit()
    return () => observer.disconnect()
  }, [width])
  return (
    <div ref={box} className={`mail-frame is-${width}`}>
      <iframe
        ref={frame}
        title={t('mail.preview')}
        src={`/v1/shops/${encodeURIComponent(slug)}/mail/preview/frame`}
        sandbox="allow-same-origin"
        onLoad={() => setLoaded(true)}
      />
    </div>
  )
}

/** Replaces the content in place: the reader's scroll position stays, and Back is not filled with drafts. */
function draw(page: Document, html: string): void {
  const before = page.scrollingElement?.scrollTop ?? 0
  // The frame's own parser: its policy and its sandbox decide about everything inside, and not those of this page.
  const parser = page.defaultView && new page.defaultView.DOMParser()
  const drawn = parser?.parseFromString(html, 'text/html').documentElement
  if (!drawn) return
  page.documentElement.replaceWith(drawn)
  page.body.inert = true
  if (page.scrollingElement) page.scrollingElement.scrollTop = before
}
