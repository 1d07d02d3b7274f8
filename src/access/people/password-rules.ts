export const minPasswordLength = 10
export const maxPasswordLength = 200

/** The most common of at least ten characters, without what `simplified` removes. */
const commonPasswords = new Set(
  `1234567890 12345678910 0123456789 0987654321 1234567891 1111111111 0000000000 1212121212 1234512345 1122334455
   123123123 1231231234 9876543210 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc qwertyuiop qwertzuiop qwerty1234 qwerty12345
   qwerty123456 qwertz1234 asdfghjkl asdfghjkl1 zxcvbnm123 password1 password12 password123 password1234 password12345
   passw0rd123 passwort1 passwort12 passwort123 passwort1234 welcome123 welcome1234 willkommen willkommen1 willkommen123
   letmein1234 iloveyou123 iloveyou12 sunshine123 princess123 football123 baseball123 superman123 administrator
   administrator1 admin12345 admin123456 changeme123 changeme1234 changethis secret1234 geheim1234 test123456
   testtest123 testing1234 doorstep doorstep1 doorstep123 shopify123 shopware123 woocommerce tracking123 hallo12345
   hello12345 abcdefghij abcdefghijk abc1234567 abcd123456 abc123456789 a123456789 q1w2e3r4t5 qazwsxedcrfv master1234
   monkey12345 dragon12345 schatz12345 sommer2024 sommer2025 sommer2026 winter2024 winter2025 winter2026 summer2024
   summer2025 summer2026 frühling2026 correcthorsebatterystaple`.split(/\s+/),
)

/** The rest of a password, without the e-mail address, must be at least this long. */
const minRest = 8

/** The problem of a new password; undefined if it has none. The schema checks its length. */
export function findPasswordProblem(password: string, email: string): string | undefined {
  const plain = simplified(password)
  if (commonPasswords.has(plain)) return 'is one of the most common passwords'
  if (new Set(plain).size < 4) return 'must have at least four different characters'
  const names = [email, email.slice(0, email.lastIndexOf('@'))].map(simplified)
  const rests = names.filter((name) => name !== '').map((name) => plain.replaceAll(name, ''))
  if (rests.some((rest) => rest.length < plain.length && rest.length < minRest)) {
    return 'must not be made of the e-mail address'
  }
  return undefined
}

/** Case and punctuation do not make a password another one. */
function simplified(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s!?.,_*#-]/g, '')
}
