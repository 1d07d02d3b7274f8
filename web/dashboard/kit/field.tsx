import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

interface Surroundings {
  label: string
  help?: ReactNode
  error?: string | undefined
  /** The label is for screen readers only, because the place says it. */
  isLabelHidden?: boolean
}

interface FieldProps extends Surroundings {
  /** Renders the control with what connects it to label, help and error. */
  children: (control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}

/** Label above, help and error below the control. */
export function Field({ label, help, error, isLabelHidden = false, children }: FieldProps) {
  const id = useId()
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'unseen' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="help">
          {help}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends Surroundings, Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  value: string
  onChange: (value: string) => void
}

export function TextField({ label, help, error, isLabelHidden, value, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      {(control) => (
        <input type="text" {...input} {...control} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

interface TextAreaProps extends Surroundings, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  value: string
  onChange: (value: string) => void
}

export function TextArea({ label, help, error, isLabelHidden, value, onChange, ...area }: TextAreaProps) {
  return (
    <Field label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      {(control) => (
        <textarea rows={4} {...area} {...control} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

export interface Choice<Value extends string> {
  value: Value
  label: string
}

interface SelectFieldProps<Value extends string>
  extends Surroundings,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> {
  value: Value
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, help, error, isLabelHidden, value, choices, onChange, ...select } = props
  return (
    <Field label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      {(control) => (
        // Only the values of the choices can be selected.
        <select {...select} {...control} value={value} onChange={(event) => onChange(event.target.value as Value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckProps {
  label: ReactNode
  help?: ReactNode
  isChecked: boolean
  isDisabled?: boolean
  onChange: (isChecked: boolean) => void
  /** A switch takes effect at once; a box is part of a form. */
  kind?: 'box' | 'switch'
}

export function Check({ label, help, isChecked, isDisabled = false, onChange, kind = 'box' }: CheckProps) {
  const id = useId()
  return (
    <div className={`check ${kind}`}>
      <input
        id={id}
        type="checkbox"
        role={kind === 'switch' ? 'switch' : undefined}
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={help ? `${id}-help` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {help && (
        <p id={`${id}-help`} className="help">
          {help}
        </p>
      )}
    </div>
  )
}

interface ChoiceFieldProps<Value extends string> {
  label: string
  value: Value
  choices: readonly (Choice<Value> & { help?: string })[]
  onChange: (value: Value) => void
}

/** A few choices, all of them visible. */
export function ChoiceField<Value extends string>({ label, value, choices, onChange }: ChoiceFieldProps<Value>) {
  const name = useId()
  return (
    <fieldset className="field choices">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <div key={choice.value} className="check">
          <input
            id={`${name}-${choice.value}`}
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <label htmlFor={`${name}-${choice.value}`}>{choice.label}</label>
          {choice.help && <p className="help">{choice.help}</p>}
        </div>
      ))}
    </fieldset>
  )
}
