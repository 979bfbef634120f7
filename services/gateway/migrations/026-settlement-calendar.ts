import type { Migration } from '@plataforma/data';

export const settlementCalendar: Migration = {
  name: '026_settlement_calendar',
  sql: `
    ALTER TABLE organizations ADD COLUMN settlement_calendar text NOT NULL DEFAULT 'calendar'
      CHECK (settlement_calendar IN ('calendar', 'banking'))`,
};
