/** The texts of the page in both languages. A key that one file lacks fails `npm run check`. */
import { stored, store } from '../state/storage'
import en from './en.json'
import pt from './pt.json'

export type Language = 'en' | 'pt'
export type Key = keyof typeof en

const TEXTS: Record<Language, Record<Key, string>> = { en, pt }

/** No key of the translation is missing in the original. */
TEXTS.en satisfies Record<keyof typeof pt, string>

class LanguageChoice {
  current: Language = $state(initial())

  choose(language: Language) {
    this.current = language
    store('language', language)
    document.documentElement.lang = language === 'pt' ? 'pt-BR' : 'en'
  }
}

function initial(): Language {
  const chosen = stored('language') ?? navigator.language
  return chosen.toLowerCase().startsWith('pt') ? 'pt' : 'en'
}

export const language = new LanguageChoice()
document.documentElement.lang = language.current === 'pt' ? 'pt-BR' : 'en'

/** The text of a key in the current language. `{name}` in it stands for the value of that name. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return TEXTS[language.current][key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

const formats = new Map<string, Intl.NumberFormat>()

/** A number as the current language writes it, with at most so many digits after the point and at least so many. */
export function number(value: number, most = 3, least = 0): string {
  const key = `${language.current} ${most} ${least}`
  let format = formats.get(key)
  if (!format) {
    const locale = language.current === 'pt' ? 'pt-BR' : 'en'
    format = new Intl.NumberFormat(locale, { maximumFractionDigits: most, minimumFractionDigits: least })
    formats.set(key, format)
  }
  return format.format(value)
}
