import type { Migration } from '@plataforma/data';

export const weather: Migration = {
  name: '018_weather',
  sql: `
    -- How the providers behave towards a merchant of the platform; one without a row has nothing but ok.
    CREATE TABLE weather (
      merchant_id uuid PRIMARY KEY,
      pix         text NOT NULL CHECK (pix IN ('ok', 'slow', 'down', 'unknown')),
      card        text NOT NULL CHECK (card IN ('ok', 'slow', 'down', 'unknown')),
      payout      text NOT NULL CHECK (payout IN ('ok', 'slow', 'down', 'unknown', 'held')),
      until       timestamptz(3) NOT NULL
    );
    CREATE INDEX weather_until ON weather (until);
    -- Orders whose answer was lost in it: asked again, each is answered.
    CREATE TABLE lost_answers (
      merchant_id uuid NOT NULL REFERENCES weather ON DELETE CASCADE,
      call        bytea NOT NULL,
      PRIMARY KEY (merchant_id, call)
    );
  `,
};
