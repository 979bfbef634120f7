/** Section of the guide: fields that people type or copy. */
export const writtenFields = `## Documents and other numbers

A CPF or CNPJ may have punctuation, and is answered without it. An alphanumeric CNPJ is taken wherever a
document is, at the registration too; its letters are answered in upper case.

Documents, phones, Pix keys, e-mail addresses and account numbers may be copied from a message or a page:
invisible characters are removed, and every dash counts as a hyphen.

Names, descriptions, labels and reasons are shown to people. Invisible and enclosing characters, and those that change
the direction of a text, are removed; line breaks become a space, emoji stay, and the text is composed (NFC).

Programs compare \`externalId\`, tokens, secrets, URLs and the texts of \`metadata\`. They stay as sent,
but for blanks around them.`;
