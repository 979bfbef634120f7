/** The SVG path of each icon, in a square of 24 units. */
export const iconPaths = {
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  charges: 'M3 6h18v12H3zM3 10h18M7 14.5h4',
  paymentLinks:
    'M10.500 13.500a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1.200 1.200M13.500 10.500a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1.200-1.200',
  refunds: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  disputes: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2v.1',
  balance: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H4zM4 7V5.500L15 4v3M16 13.500h.1',
  withdrawals: 'M12 4v11M7 10.500l5 5 5-5M4 20h16',
  statement: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9.500 8h5M9.500 12h5',
  developers: 'm8 7-5 5 5 5M16 7l5 5-5 5',
  sandbox:
    'M9.500 3h5M10.500 3v6L5.200 18.700A1.500 1.500 0 0 0 6.500 21h11a1.500 1.500 0 0 0 1.300-2.300L13.500 9V3M8 14.500h8',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M5.600 18.400l2.100-2.100M16.300 7.700l2.100-2.100',
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500 21 21',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M5 5l14 14M19 5 5 19',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 12.500 4.500 4.500L19 7',
  down: 'm6 9 6 6 6-6',
  left: 'm15 6-6 6 6 6',
  right: 'm9 6 6 6-6 6',
  download: 'M12 4v11M8 11l4 4 4-4M4 20h16',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  outside: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9',
  message: 'M4 5h16v11H9l-5 4z',
  share: 'M12 15V4M8 7.500 12 3.500l4 4M7 11H5v9h14v-9h-2',
  key: 'M14.500 4.500a5 5 0 1 1-3.500 8.500L4 20v-3l7-7a5 5 0 0 1 3.500-5.500zM16 8h.1',
  logout: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  keyboard: 'M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M7 14h10',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
} as const;

export type IconName = keyof typeof iconPaths;
