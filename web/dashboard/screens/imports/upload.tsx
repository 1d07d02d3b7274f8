import { type ChangeEvent, type DragEvent, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Check } from '../../kit/field.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Card } from '../../kit/page.tsx'
import { wordsOf } from '../../kit/problem.tsx'
import { t } from '../../texts/texts.ts'
import { rejectionOf, useUpload } from './use-upload.ts'
import { bytesInWords } from './words.ts'

/** Takes a file by choosing or dropping it; it is checked first unless that is switched off. */
export function Upload() {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const [isDryRun, setDryRun] = useState(true)
  const [isOver, setOver] = useState(false)
  const upload = useUpload()
  const rejection = file && rejectionOf(file)
  const take = (files: FileList | null) => {
    upload.reset()
    setFile(files?.[0])
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    take(event.target.files)
    event.target.value = ''
  }
  const problem = rejection ?? (upload.isError ? wordsOf(upload.error) : undefined)
  return (
    <Card title={t('imports.new')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button does the same */}
      <div
        className={isOver ? 'drop-zone over' : 'drop-zone'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="download" />
        {file ? (
          <p>
            <strong>{file.name}</strong> <span className="soft">{bytesInWords(file.size)}</span>
          </p>
        ) : (
          <p className="soft">{t('imports.drop')}</p>
        )}
        <input ref={input} type="file" hidden accept=".csv,.txt,.tsv,text/csv" onChange={choose} />
        <Button onClick={() => input.current?.click()}>{t(file ? 'imports.other_file' : 'imports.choose')}</Button>
      </div>
      <Check label={t('imports.dry_run')} help={t('imports.dry_run_help')} isChecked={isDryRun} onChange={setDryRun} />
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <div>
        <Button
          variant="primary"
          isBusy={upload.isPending}
          disabled={file === undefined || rejection !== undefined}
          onClick={() => file && upload.mutate({ file, isDryRun })}
        >
          {t(isDryRun ? 'imports.check' : 'imports.import')}
        </Button>
      </div>
      {upload.isPending && <p className="soft">{t('imports.sending')}</p>}
    </Card>
  )
}
