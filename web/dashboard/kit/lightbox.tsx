import type { KeyboardEvent } from 'react'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface LightboxProps {
  pictures: readonly { url: string; label: string }[]
  shown: number
  onShow: (index: number) => void
  onClose: () => void
}

/** One picture over the whole window; the arrow keys show the others. */
export function Lightbox({ pictures, shown, onShow, onClose }: LightboxProps) {
  const picture = pictures[shown]
  if (picture === undefined) return null
  const move = (step: number) => onShow((shown + step + pictures.length) % pictures.length)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') move(1)
    if (event.key === 'ArrowLeft') move(-1)
  }
  return (
    <Dialog
      title={picture.label}
      shape="full"
      onClose={onClose}
      onKeyDown={onKeyDown}
      actions={
        pictures.length > 1 && (
          <>
            <Button icon="left" onClick={() => move(-1)}>
              {t('kit.previous_picture')}
            </Button>
            <Button icon="right" onClick={() => move(1)}>
              {t('kit.next_picture')}
            </Button>
          </>
        )
      }
    >
      <img className="lightbox-picture" src={picture.url} alt={picture.label} />
    </Dialog>
  )
}
