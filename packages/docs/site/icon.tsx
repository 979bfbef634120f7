const shapes = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  theme: 'M12 3v18a9 9 0 0 0 0-18zM12 3a9 9 0 0 0 0 18',
  right: 'M9 6l6 6-6 6',
} as const;

export function Icon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      aria-hidden="true"
    >
      <path d={shapes[name]} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
