import { nextKey } from '../../app/conditions/draft.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { t } from '../../texts/texts.ts'

export interface DraftHeader {
  /** For React. */
  key: number
  name: string
  value: string
  /** The service has a value for it, which is never shown. */
  isStored: boolean
}

export function toDraftHeaders(headers: readonly { name: string }[]): DraftHeader[] {
  return headers.map(({ name }) => ({ key: nextKey(), name, value: '', isStored: true }))
}

/** As the API has them: a stored value stays unless another one is typed. */
export function toHeaders(headers: readonly DraftHeader[]): { name: string; value?: string }[] {
  return headers.map(({ name, value }) => ({ name: name.trim(), ...(value === '' ? {} : { value }) }))
}

const mostHeaders = 5

interface HeaderFieldsProps {
  headers: readonly DraftHeader[]
  problems: Record<string, string>
  onChange: (headers: DraftHeader[]) => void
}

/** Headers that every request to the endpoint has, such as a key of the receiver. */
export function HeaderFields({ headers, problems, onChange }: HeaderFieldsProps) {
  const add = () => onChange([...headers, { key: nextKey(), name: '', value: '', isStored: false }])
  const change = (index: number, changed: Partial<DraftHeader>) =>
    onChange(headers.map((header, n) => (n === index ? { ...header, ...changed } : header)))
  return (
    <>
      <p className="soft">{t('messages.headers_help')}</p>
      {headers.map(({ key, name, value, isStored }, index) => (
        <fieldset key={key} className="header-fields">
          <legend className="unseen">{t('messages.header_number', { number: index + 1 })}</legend>
          <TextField
            label={t('messages.header_name')}
            placeholder="X-Api-Key"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={name}
            error={problems[`headers.${index}.name`]}
            onChange={(name) => change(index, { name })}
          />
          <TextField
            label={t('messages.header_value')}
            type="password"
            autoComplete="new-password"
            maxLength={1_000}
            placeholder={isStored ? t('messages.header_stored') : undefined}
            value={value}
            error={problems[`headers.${index}.value`]}
            onChange={(value) => change(index, { value })}
          />
          <Button
            variant="quiet"
            icon="trash"
            isIconOnly
            onClick={() => onChange(headers.filter((header) => header.key !== key))}
          >
            {t('messages.remove_header', { number: index + 1 })}
          </Button>
        </fieldset>
      ))}
      <div className="row">
        <Button icon="plus" disabled={headers.length >= mostHeaders} onClick={add}>
          {t('messages.add_header')}
        </Button>
      </div>
    </>
  )
}
