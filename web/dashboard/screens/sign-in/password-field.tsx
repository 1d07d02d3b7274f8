import { type InputHTMLAttributes, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { t } from '../../texts/texts.ts'

interface PasswordFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'type'> {
  label: string
  help?: string
  error?: string | undefined
  value: string
  onChange: (value: string) => void
}

/** A secret to type, which can be shown: that prevents more mistakes than typing it twice. */
export function PasswordField({ label, help, error, value, onChange, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <div className="password-field">
          <input
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <Button variant="quiet" isSmall aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? t('sign_in.hide') : t('sign_in.show')}
          </Button>
        </div>
      )}
    </Field>
  )
}
