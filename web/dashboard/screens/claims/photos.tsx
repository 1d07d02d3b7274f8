import { useState } from 'react'
import { Icon } from '../../kit/icon.tsx'
import { Lightbox } from '../../kit/lightbox.tsx'
import { t } from '../../texts/texts.ts'
import { type Picture, picturesOf } from './pictures.ts'
import type { Claim } from './query.ts'

/** The pictures, large; a click or Enter shows one over the whole window. */
export function Photos({ claim }: { claim: Claim }) {
  const pictures = picturesOf(claim)
  const own = pictures.filter(({ isOwn }) => isOwn)
  const [open, setOpen] = useState<number | undefined>()
  if (pictures.length === 0) return <p className="soft claim-no-photos">{t('claims.no_photos')}</p>
  return (
    <>
      <ul className="claim-photos">
        {own.map(({ url, label }, index) => (
          <li key={url}>
            <button type="button" className="claim-photo" onClick={() => setOpen(index)}>
              <img
                src={url}
                alt={label}
                decoding="async"
                // The first one is what the page is about.
                {...(index === 0 ? { fetchPriority: 'high' } : { loading: 'lazy' })}
              />
              <span className="unseen">{t('claims.enlarge')}</span>
            </button>
          </li>
        ))}
      </ul>
      <ForeignPictures pictures={pictures.filter(({ isOwn }) => !isOwn)} />
      {open !== undefined && (
        <Lightbox pictures={own} shown={open} onShow={setOpen} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

/** Pictures of other hosts are not loaded into this page. */
function ForeignPictures({ pictures }: { pictures: readonly Picture[] }) {
  if (pictures.length === 0) return null
  return (
    <ul className="row">
      {pictures.map(({ url, label }) => (
        <li key={url}>
          <a className="row tight" href={url} target="_blank" rel="noopener noreferrer">
            <Icon name="external" />
            {t('claims.picture_at', { name: label, host: new URL(url).hostname })}
          </a>
        </li>
      ))}
    </ul>
  )
}
