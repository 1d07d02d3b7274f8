import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef } from 'react'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { wordsOf } from '../kit/problem.tsx'
import { t } from '../texts/texts.ts'
import { api } from './api.ts'
import { useMay, useSlug } from './session.ts'

interface ImageFieldProps {
  label: string
  /** A description of the picture, for people who do not see it. */
  alt: string
  kind: 'background' | 'logo' | 'product'
  url: string | null
  help?: string
  error?: string | undefined
  onChange: (url: string | null) => void
  onBlur?: () => void
}

/** A picture: uploaded, or at another address. */
export function ImageField({ label, alt, kind, url, help, error, onChange, onBlur }: ImageFieldProps) {
  const slug = useSlug()
  const mayChange = useMay('editor')
  const input = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: (image: File) =>
      api.post('/v1/shops/{slug}/images/{image_type}', {
        params: { path: { slug, image_type: kind } },
        body: { image } as never, // a file, which the description calls binary text
      }),
    onSuccess: (image) => onChange(image.url),
  })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    if (file) upload.mutate(file)
    event.target.value = ''
  }
  const own = pathOfOwn(url)
  return (
    <div className="stack tight">
      <TextField
        label={label}
        type="url"
        placeholder="https://"
        help={help}
        value={url ?? ''}
        error={error ?? (upload.isError ? wordsOf(upload.error) : undefined)}
        onChange={(typed) => onChange(typed === '' ? null : typed)}
        onBlur={onBlur}
      />
      {own && (
        <div className={`logo-frame ${kind}`}>
          <img src={own} alt={alt} />
        </div>
      )}
      {mayChange && (
        <div className="row">
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
            onChange={choose}
          />
          <Button isSmall isBusy={upload.isPending} onClick={() => input.current?.click()}>
            {url === null ? t('image.upload') : t('image.replace')}
          </Button>
          {url !== null && (
            <Button variant="quiet" isSmall icon="trash" onClick={() => onChange(null)}>
              {t('image.remove')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Only pictures of our own are shown: this page loads nothing from other hosts. The host may have another name outside. */
function pathOfOwn(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  return pathname.includes('/v1/images/') ? pathname.slice(pathname.indexOf('/v1/images/')) : undefined
}
