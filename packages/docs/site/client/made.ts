type Tags = HTMLElementTagNameMap;

export function made<Tag extends keyof Tags>(tag: Tag, own: Partial<Tags[Tag]>): Tags[Tag] {
  return Object.assign(document.createElement(tag), own);
}
